import { AppError, type Result } from '../errors.ts';
import { type Changes, isEmpty } from '../snapshot/changes.ts';
import type { GraphInfo, GraphTable } from '../snapshot/graph-table.ts';
import { planDrop, planEdit, planLoad, planMerge, planReplace } from '../snapshot/plan.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import { createGraph, growGraphs, growthByGraph, type Stamp } from './graph-effects.ts';
import { recordBytes } from './oxigraph-record.ts';
import { type PatchHead, rowsSize } from './patch.ts';
import type { ResourcePlan } from './plan-description.ts';
import { planResource } from './plan-resource.ts';
import { conditionHolds } from './precondition.ts';
import { resourceExists } from './resource-books.ts';
import type { ResourceOperation } from './resource-operation.ts';
import { resourceState } from './resource-state.ts';
import type { GraphOperation, Operation, Outcome, Transaction, TransactionResult } from './transaction.ts';
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
  /** Bytes that the steps take in the journal. */
  readonly patchBytes: number;
  /** Bytes that it will take of the record's memory, at most. */
  readonly recordBytes: number;
}

/** What a transaction does to a graph. */
interface TouchedGraph {
  /** The row that it finds. */
  readonly before: GraphInfo | undefined;
  /** Whether triples come or go. */
  readonly changed: boolean;
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

  /**
   * `sequence` is the number that the commit gets if it changes anything; `room` are the bytes that the record's memory
   * has left. Throws, with the working state changed in part, `too-large` and `store-full`.
   */
  plan(transaction: Transaction, sequence: number, room: number): Plan {
    const failed = transaction.preconditions.find((precondition) => !this.#holds(precondition));
    if (failed) return { result: preconditionFailed(targetOf(failed)), effect: null };
    return this.#planOperations(transaction.operations, { sequence, modified: this.#parts.now() }, room);
  }

  #planOperations(operations: readonly Operation[], stamp: Stamp, room: number): Plan {
    const touched = new Map<string, TouchedGraph>();
    const steps: Changes[] = [];
    let size = 0;
    let memory = 0;
    const outcomes = operations.map((operation, index) => {
      // The separator is no digit of base 36, so that no two numbers run together.
      const prefix = `b${stamp.sequence.toString(36)}X${index.toString(36)}X`;
      if ('target' in operation) throw new AppError('internal', 'The LDP space can not be written yet.');
      const plan = 'resource' in operation ? this.#planResource(operation, prefix) : undefined;
      const changes = 'resource' in operation ? plan!.changes : this.#changesOf(operation, prefix);
      const { terms } = this.#parts.writer.reader();
      size += rowsSize(changes.additions, terms) + rowsSize(changes.removals, terms);
      if (size > MAX_PATCH_BYTES) throw tooLarge(size);
      memory += recordBytes(changes.additions, terms);
      if (memory > room && changes.additions.length > 0) throw storeFull();
      this.#parts.writer.apply(changes);
      steps.push(changes);
      const outcome = this.#account(operation, changes, stamp, touched);
      return plan ? { ...outcome, existed: plan.existed, ignored: plan.ignored } : outcome;
    });
    const head = { time: stamp.modified, ...this.#settleGraphs(touched) };
    const idle = head.created.length === 0 && head.dropped.length === 0 && steps.every(isEmpty);
    const sequence = idle ? stamp.sequence - 1 : stamp.sequence;
    return {
      result: { ok: true, value: { sequence, outcomes } },
      effect: idle ? null : { sequence, head, steps, patchBytes: size, recordBytes: memory },
    };
  }

  #holds(precondition: Transaction['preconditions'][number]): boolean {
    if ('target' in precondition) return false;
    if ('resource' in precondition) {
      return conditionHolds(
        precondition,
        resourceState(precondition, this.#parts.writer.reader(), this.graphs),
      );
    }
    const info = this.graphs.get(precondition.graph);
    const state = info && this.#parts.stateOf(info.sequence);
    return conditionHolds(precondition, info && { state: state ?? '', modified: info.modified });
  }

  #planResource(operation: ResourceOperation, blankPrefix: string): ResourcePlan & { existed: boolean } {
    const { writer } = this.#parts;
    const isGraph = (name: string) => this.graphs.get(name) !== undefined;
    const existed = resourceExists(writer.reader(), operation.resource, isGraph);
    return { ...planResource(writer, operation, existed, blankPrefix), existed };
  }

  #changesOf(operation: GraphOperation, blankPrefix: string): Changes {
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

  /** Brings the graphs' rows up to date, and notes which of them it looked at. */
  #account(
    operation: GraphOperation | ResourceOperation,
    changes: Changes,
    stamp: Stamp,
    touched: Map<string, TouchedGraph>,
  ): Outcome {
    const target = graphOf(operation);
    const existed = this.graphs.get(target) !== undefined;
    const growth = growthByGraph(changes, this.#parts.writer.reader().terms);
    for (const name of [target, ...growth.keys()]) {
      const changed = growth.has(name) || touched.get(name)?.changed === true;
      touched.set(name, {
        before: touched.has(name) ? touched.get(name)?.before : this.graphs.get(name),
        changed,
      });
    }
    growGraphs(this.graphs, growth, stamp);
    if (operation.kind === 'drop' || operation.kind === 'erase') {
      if (!operation.keep && existed) this.graphs.set(target, null);
    } else if ('graph' in operation) {
      createGraph(this.graphs, target, stamp);
    }
    return {
      existed,
      added: changes.additions.length / 4,
      removed: changes.removals.length / 4,
      size: this.graphs.get(target)?.size ?? 0,
    };
  }

  /**
   * The graphs that came and went, as replay must be told of them. One that went and came back without a change of its
   * triples keeps its row: nothing has happened to it.
   */
  #settleGraphs(touched: ReadonlyMap<string, TouchedGraph>): Pick<PatchHead, 'created' | 'dropped'> {
    const created: string[] = [];
    const dropped: string[] = [];
    for (const [name, { before, changed }] of touched) {
      const exists = this.graphs.get(name) !== undefined;
      if (exists && !before) created.push(name);
      else if (exists && before && !changed) this.graphs.set(name, before);
      else if (!exists && (before || changed)) dropped.push(name);
    }
    return { created, dropped };
  }
}

function tooLarge(size: number): AppError {
  const message = `The change would take more than ${size} bytes of journal; one request may take ${MAX_PATCH_BYTES}. Send it in parts.`;
  return new AppError('too-large', message);
}

function storeFull(): AppError {
  return new AppError(
    'store-full',
    'The store has no memory left for this change. Nothing of it was stored.',
  );
}

/** The graph that an operation creates or removes, if it does so with any. */
function graphOf(operation: GraphOperation | ResourceOperation): string {
  if ('resource' in operation) return operation.resource;
  return operation.kind === 'load' ? operation.defaultGraph : operation.graph;
}

function targetOf(precondition: Transaction['preconditions'][number]): string {
  if ('target' in precondition) return precondition.target;
  return 'resource' in precondition ? precondition.resource : precondition.graph;
}

function preconditionFailed(graph: string): Result<TransactionResult> {
  const message = `<${graph}> is not in the state that the request asks for.`;
  return { ok: false, error: { code: 'precondition-failed', message, details: { uri: graph } } };
}
