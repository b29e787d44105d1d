import { AppError, type Result } from '../errors.ts';
import { type Changes, isEmpty } from '../snapshot/changes.ts';
import type { GraphTable } from '../snapshot/graph-table.ts';
import { planDrop, planEdit, planLoad, planMerge, planReplace } from '../snapshot/plan.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import { createGraph, growGraphs, growthByGraph, type Stamp } from './graph-effects.ts';
import { type PatchHead, patchSize } from './patch.ts';
import { preconditionHolds } from './precondition.ts';
import type { Operation, Outcome, Transaction, TransactionResult } from './transaction.ts';
import { WorkingGraphs } from './working-graphs.ts';

/**
 * Bytes of journal that one transaction may take. A short document can stand for a very long one, since Turtle's
 * prefixes are written out here.
 */
const MAX_PATCH_BYTES = 2 ** 30;

/** What a transaction will do, worked out and taken into the working state, but not on disk yet. */
export interface Plan {
  readonly result: Result<TransactionResult>;
  /** Null when there is nothing to make durable: it changes nothing, or is refused. */
  readonly effect: PlannedEffect | null;
}

export interface PlannedEffect {
  /** The commit's number. */
  readonly sequence: number;
  readonly head: PatchHead;
  /** One for each operation, to be done in order. */
  readonly steps: readonly Changes[];
}

export interface PlannerParts {
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** The `<state>` of entity tags for a commit's number. */
  readonly stateOf: (sequence: number) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Checks preconditions and works out effects; each transaction sees those of the ones planned before it. */
export class Planner {
  readonly graphs: WorkingGraphs;
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.graphs = new WorkingGraphs(parts.graphs);
  }

  /** `sequence` is the number that the commit gets if it changes anything. */
  plan(transaction: Transaction, sequence: number): Plan {
    const failed = transaction.preconditions.find(
      (precondition) =>
        !preconditionHolds(precondition, this.graphs.get(precondition.graph), this.#parts.stateOf),
    );
    if (failed) return { result: preconditionFailed(failed.graph), effect: null };
    return this.#planOperations(transaction.operations, { sequence, modified: this.#parts.now() });
  }

  #planOperations(operations: readonly Operation[], stamp: Stamp): Plan {
    /** Whether the graphs that the transaction touches existed before it. */
    const before = new Map<string, boolean>();
    const steps: Changes[] = [];
    let size = 0;
    const outcomes = operations.map((operation, index) => {
      const prefix = `b${stamp.sequence.toString(36)}x${index.toString(36)}x`;
      const changes = this.#changesOf(operation, prefix);
      size += patchSize(changes, this.#parts.writer.reader().terms);
      if (size > MAX_PATCH_BYTES) throw tooLarge(size);
      this.#parts.writer.apply(changes);
      steps.push(changes);
      return this.#account(operation, changes, stamp, before);
    });
    const names = [...before.keys()];
    const created = names.filter((name) => !before.get(name) && this.graphs.get(name));
    const dropped = names.filter((name) => before.get(name) && !this.graphs.get(name));
    const idle = created.length === 0 && dropped.length === 0 && steps.every(isEmpty);
    const sequence = idle ? stamp.sequence - 1 : stamp.sequence;
    const head = { time: stamp.modified, created, dropped };
    return {
      result: { ok: true, value: { sequence, outcomes } },
      effect: idle ? null : { sequence, head, steps },
    };
  }

  #changesOf(operation: Operation, blankPrefix: string): Changes {
    const { writer } = this.#parts;
    switch (operation.kind) {
      case 'merge':
        return planMerge(writer, operation.graph, operation.block, blankPrefix);
      case 'load':
        return planLoad(writer, operation.defaultGraph, operation.block, blankPrefix);
      case 'replace':
        return planReplace(writer, operation.graph, operation.block, blankPrefix);
      case 'drop':
        return planDrop(writer, operation.graph);
      case 'edit':
        return planEdit(writer, operation.graph, operation.additions, operation.removals, blankPrefix);
    }
  }

  /** Brings the graphs' rows up to date, and notes in `before` which of them existed. */
  #account(operation: Operation, changes: Changes, stamp: Stamp, before: Map<string, boolean>): Outcome {
    const target = operation.kind === 'load' ? operation.defaultGraph : operation.graph;
    const existed = this.graphs.get(target) !== undefined;
    const growth = growthByGraph(changes, this.#parts.writer.reader().terms);
    for (const name of [target, ...growth.keys()]) {
      if (!before.has(name)) before.set(name, this.graphs.get(name) !== undefined);
    }
    growGraphs(this.graphs, growth, stamp);
    if (operation.kind === 'drop') {
      if (!operation.keep && existed) this.graphs.set(target, null);
    } else if (operation.kind !== 'load') {
      createGraph(this.graphs, target, stamp);
    }
    return {
      existed,
      added: changes.additions.length / 4,
      removed: changes.removals.length / 4,
      size: this.graphs.get(target)?.size ?? 0,
    };
  }
}

function tooLarge(size: number): AppError {
  const message = `The change would take more than ${size} bytes of journal; one request may take ${MAX_PATCH_BYTES}. Send it in parts.`;
  return new AppError('too-large', message);
}

function preconditionFailed(graph: string): Result<TransactionResult> {
  const message = `<${graph}> is not in the state that the request asks for.`;
  return { ok: false, error: { code: 'precondition-failed', message, details: { uri: graph } } };
}
