import { visiblePatterns } from '../../base/graph-access.ts';
import { preconditionHolds, preconditionHoldsForAll } from '../../base/precondition.ts';
import { AppError, type ErrorData, fromErrorData, type Result, wrongState } from '../../errors.ts';
import { ldpEntry } from '../../ldp/registry.ts';
import type { LdpPrecondition } from '../../ldp/store/operation.ts';
import { planLdp } from '../../ldp/store/plan.ts';
import { ldpRejection } from '../../ldp/store/rejection.ts';
import type { EncodedChanges, GraphGrowth } from '../../pool/change-messages.ts';
import { SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { GraphTable } from '../../snapshot/graphs/table.ts';
import { type PlanBasis, planGraphOperation } from '../../snapshot/write/change-plan.ts';
import { type Changes, isEmpty } from '../../snapshot/write/changes.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import type { CommitBoard } from '../commit-board.ts';
import { GraphAccounts, graphOf } from '../graphs/accounts.ts';
import { blankGraphRejection } from '../graphs/blank-graphs.ts';
import type { Stamp } from '../graphs/effects.ts';
import { graphRejection } from '../graphs/rejection.ts';
import { WorkingGraphs } from '../graphs/working-graphs.ts';
import type {
  DatasetPrecondition,
  Operation,
  Outcome,
  Transaction,
  TransactionResult,
  UnchangedPrecondition,
} from '../main/transaction.ts';
import { requireFit, requireReadable, requireReadableName } from '../patch/limits.ts';
import { headerSize, type PatchHeader, type PatchReference, rowsSize } from '../patch/patch.ts';
import { cancelled } from '../recovery/cancelled.ts';
import { datasetState } from '../registry/dataset-state.ts';
import { withPrefixes } from '../registry/graph-prefixes.ts';
import type { PrefixOperation, PrefixPrecondition } from '../registry/prefix-operation.ts';
import { prefixRejection, prefixState } from '../registry/prefix-registry.ts';
import type { ProgramPrecondition } from '../registry/program-operation.ts';
import { programRejection, programState } from '../registry/program-registry.ts';
import { withMarks } from '../registry/removal-marks.ts';
import { existsWithin, resourceExists } from '../registry/resource-registry.ts';
import { resourceStates } from '../registry/resource-state.ts';
import { planPrefixes } from './prefix-change.ts';
import type { PreparedChanges, PreparedTransaction } from './prepared-changes.ts';
import { planProgram } from './program-change.ts';
import { baseRejection, planBase } from './rebase.ts';
import { planResource, planResourceContent } from './resource-change.ts';
import { requireRoom, requireRoomForTerms } from './room.ts';

/**
 * The most bytes of the rows of all graphs, see `GraphTable`. A checkpoint's manifest has them in
 * one string, and V8 limits a string to less than 512 MiB.
 */
const MAX_GRAPH_ROW_BYTES = 480 * 2 ** 20;

/** The planned effect of a transaction, applied to the working state but not on disk yet. */
export interface Plan {
  readonly result: Result<TransactionResult>;
  /** Null if there is nothing to make durable: the transaction changes nothing, or is rejected. */
  readonly effect: PlannedEffect | null;
}

export interface PlannedEffect {
  /** The commit's number. */
  readonly sequence: number;
  readonly header: PatchHeader;
  /** One per operation, in order. */
  readonly steps: readonly Changes[];
  /** Whether its rows were passed as a run, and are not in `steps`. */
  readonly inRun: boolean;
  /** The file with the rows in that case, for a store on disk. */
  readonly patch: PatchReference | null;
  /** The rows in that case, for a shared log. They are not in the working state. */
  readonly encoded?: EncodedChanges;
  /** The graphs that the transaction involves. */
  readonly graphs: Iterable<string>;
  /** The size of the steps in the journal, in bytes. */
  readonly patchBytes: number;
}

/** The effect of one operation. */
interface PlannedOperation {
  readonly changes: Changes;
  /** Whether the target of the operation existed before. */
  readonly existed: boolean;
  /** See `Outcome`. */
  readonly ignored?: number;
  readonly contentSequence?: number;
}

export interface PlannerParts {
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** Returns the `<state>` of entity tags for a commit's number. */
  readonly stateOf: (sequence: number) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly board: CommitBoard;
  /** Bytes of memory that the snapshot may use. */
  readonly dataMax: number;
}

/**
 * Checks preconditions and works out effects; each transaction sees the effects of those planned
 * before it.
 */
export class Planner {
  readonly graphs: WorkingGraphs;
  readonly #parts: PlannerParts;
  readonly #basis: PlanBasis;
  /** The number of the transaction being planned; undefined if it can't be cancelled. */
  #id: number | undefined;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.graphs = new WorkingGraphs(parts.graphs);
    const { writer } = parts;
    this.#basis = {
      dictionary: writer.dictionary,
      reader: () => writer.reader(),
      onProgress: (quads) => this.#report(quads),
    };
  }

  /**
   * Plans a transaction. `sequence` is the number that the commit gets if it changes anything.
   * Throws `too-large`, `store-full`, `cancelled`, and the errors of operations after the first;
   * the working state is then partly changed.
   */
  plan(transaction: PreparedTransaction, sequence: number): Plan {
    const { id, operations, prepared } = transaction;
    this.#id = id;
    if (!prepared) this.#report(0);
    const error = this.rejectionOf(transaction, prepared?.graphs);
    if (error) return { result: { ok: false, error }, effect: null };
    const stamp = { sequence, modified: this.#parts.now() };
    return prepared
      ? this.#planPrepared(operations[0]!, prepared, stamp)
      : this.#planOperations(operations, stamp);
  }

  /**
   * Why a transaction is rejected in the current state, before its effects are worked out;
   * undefined if it is not. `graphs`: those that its operation may change, if known.
   */
  rejectionOf({ preconditions, operations }: Transaction, graphs?: readonly string[]): ErrorData | undefined {
    const failed = preconditions.find((precondition) => !this.#holds(precondition));
    if (failed) return preconditionFailed(failed);
    const [first] = operations;
    return first && this.#rejectionOf(first, graphs);
  }

  #report(quads: number): void {
    if (this.#id !== undefined && !this.#parts.board.report(this.#id, quads))
      throw fromErrorData(cancelled());
  }

  #planOperations(operations: readonly Operation[], stamp: Stamp): Plan {
    const accounts = new GraphAccounts(this.graphs, stamp);
    const steps: Changes[] = [];
    let size = 0;
    const knownTerms = this.#parts.writer.dictionary.termCount;
    const outcomes = operations.map((operation, index) => {
      const error = index > 0 ? this.#rejectionOf(operation) : undefined;
      if (error) throw fromErrorData(error);
      // The separator is not a digit of base 36, so two adjacent numbers can't be confused.
      const prefix = `b${stamp.sequence.toString(36)}X${index.toString(36)}X`;
      const { changes: wanted, ...more } = this.#planOperation(operation, stamp, prefix);
      const marked = withMarks(this.#parts.writer, operation, wanted, stamp.sequence);
      const changes = withPrefixes(this.#basis, operation, marked);
      const { terms } = this.#parts.writer.reader();
      const added = rowsSize(changes.additions, terms);
      size += added.bytes + rowsSize(changes.removals, terms).bytes;
      requireFit(added.longest, size);
      // A deletion adds a tombstone and a date or two, and must succeed even when there is no room.
      const grows = wanted.additions.length > 0 && operation.kind !== 'ldp-delete';
      if (grows) requireRoom(this.#parts.writer, changes.additions.length / 4, this.#parts.dataMax);
      this.#parts.writer.apply(changes);
      steps.push(changes);
      accounts.take(operation, changes, terms);
      return { ...more, ...countsOf(wanted), size: this.graphs.get(graphOf(operation) ?? '')?.size ?? 0 };
    });
    const known = this.#parts.writer.terms;
    requireReadable(known, knownTerms, known.termCount);
    const header = this.#settle(accounts, stamp);
    size += headerSize(header);
    requireFit(0, size);
    const idle = !changesGraphs(header) && steps.every(isEmpty);
    const sequence = idle ? stamp.sequence - 1 : stamp.sequence;
    const graphs = accounts.names;
    return {
      result: { ok: true, value: { sequence, outcomes } },
      effect: idle ? null : { sequence, header, steps, inRun: false, patch: null, graphs, patchBytes: size },
    };
  }

  /** Applies the changes that a pool thread has worked out. */
  #planPrepared(operation: Operation, prepared: PreparedChanges, stamp: Stamp): Plan {
    const { growth, run, patch, encoded } = prepared;
    const accounts = new GraphAccounts(this.graphs, stamp);
    const target = graphOf(operation) ?? '';
    const existed = this.graphs.get(target) !== undefined;
    const { added, removed } = totalOf(growth);
    if (added > 0) requireRoom(this.#parts.writer, added, this.#parts.dataMax);
    if (encoded) requireRoomForTerms(this.#parts.writer, encoded.newTerms);
    if (run && !encoded) this.#parts.writer.addRun(run, added - removed);
    const grown = new Map(growth.map((each) => [each.graph, each.added - each.removed]));
    // The prefixes of a graph are rows of the system graph, which clients don't see.
    const visible = growth.filter(({ graph }) => graph !== SYSTEM_GRAPH);
    const reduced = visible.filter((each) => each.removed > 0).map(({ graph }) => graph);
    accounts.takeGrowth(operation, grown, reduced);
    const header = this.#settle(accounts, stamp);
    const idle = !changesGraphs(header) && run === null;
    const sequence = idle ? stamp.sequence - 1 : stamp.sequence;
    const outcome = { existed, ...totalOf(visible), size: this.graphs.get(target)?.size ?? 0 };
    const graphs = accounts.names;
    const patchBytes = headerSize(header) + (encoded?.blocks.length ?? 0);
    const stored = { sequence, header, steps: [], inRun: run !== null, patch, graphs, patchBytes };
    return {
      result: { ok: true, value: { sequence, outcomes: [outcome] } },
      effect: idle ? null : { ...stored, ...(encoded && { encoded }) },
    };
  }

  /** Returns the header of the patch, with the facts about graphs that replay needs. */
  #settle(accounts: GraphAccounts, stamp: Stamp): PatchHeader {
    const header = { time: stamp.modified, ...accounts.settle() };
    if (header.created.length > 0) this.#requireRoomForGraphs();
    for (const graph of header.created) requireReadableName(graph);
    return header;
  }

  #requireRoomForGraphs(): void {
    if (this.graphs.rowBytes <= MAX_GRAPH_ROW_BYTES) return;
    throw new AppError('store-full', 'The store cannot hold more graphs. Nothing was stored.');
  }

  #holds(precondition: Transaction['preconditions'][number]): boolean {
    if ('target' in precondition) return this.#ldpHolds(precondition);
    if ('program' in precondition) {
      const { writer, stateOf } = this.#parts;
      return preconditionHolds(precondition, programState(writer.reader(), precondition.program, stateOf));
    }
    if ('prefix' in precondition) {
      const { writer, stateOf } = this.#parts;
      return preconditionHolds(precondition, prefixState(writer.reader(), precondition.prefix, stateOf));
    }
    if ('dataset' in precondition) {
      const { stateOf } = this.#parts;
      return preconditionHolds(
        precondition,
        datasetState(this.graphs.entries(), precondition.dataset, stateOf),
      );
    }
    if ('unchanged' in precondition) return this.#areUnchanged(precondition);
    if ('resource' in precondition) {
      return preconditionHoldsForAll(
        precondition,
        resourceStates(precondition, this.#parts.writer.reader(), this.graphs, this.#parts.stateOf),
      );
    }
    const info = this.graphs.get(precondition.graph);
    const state = info && this.#parts.stateOf(info.sequence);
    return preconditionHolds(precondition, info && { state: state ?? '', modified: info.modified });
  }

  #areUnchanged({ unchanged, since }: UnchangedPrecondition): boolean {
    return unchanged.every(({ graph, existed }) => {
      const info = this.graphs.get(graph);
      return info ? info.sequence <= since : !existed;
    });
  }

  #ldpHolds(precondition: LdpPrecondition): boolean {
    const entry = ldpEntry(this.#parts.writer.reader(), precondition.target);
    if (entry === undefined || entry === 'gone') return preconditionHolds(precondition, undefined);
    const { sequence, modified } = entry;
    return preconditionHolds(precondition, { state: this.#parts.stateOf(sequence), modified });
  }

  /** Why the operation can't be done. Called before the operation changes anything. */
  #rejectionOf(operation: Operation, graphs?: readonly string[]): ErrorData | undefined {
    const reader = this.#parts.writer.reader();
    if (operation.kind === 'base') return baseRejection(this.graphs, operation);
    if ('target' in operation) return ldpRejection(reader, operation);
    if ('program' in operation) return programRejection(reader, operation);
    if (isOnPrefixes(operation)) return prefixRejection(reader, operation);
    if ('resource' in operation) return undefined;
    // A caller that knows the graphs checks the quads itself.
    return (graphs ? undefined : blankGraphRejection(operation)) ?? graphRejection(reader, operation, graphs);
  }

  #planOperation(operation: Operation, stamp: Stamp, blankPrefix: string): PlannedOperation {
    const basis = this.#basis;
    if (operation.kind === 'base') {
      return { changes: planBase(basis, operation, stamp.sequence), existed: true };
    }
    if ('program' in operation) return planProgram(basis, operation, stamp);
    if (isOnPrefixes(operation)) return planPrefixes(basis, operation, stamp);
    if ('target' in operation) {
      const existed = operation.kind !== 'ldp-create' && operation.kind !== 'ldp-root';
      return { changes: planLdp(basis, operation, stamp, blankPrefix), existed };
    }
    if (!('resource' in operation)) {
      const existed = this.graphs.get(graphOf(operation) ?? '') !== undefined;
      return { changes: planGraphOperation(basis, operation, blankPrefix), existed };
    }
    const isGraph = (name: string) => this.graphs.get(name) !== undefined;
    const visible = 'access' in operation ? visiblePatterns({ access: operation.access }) : undefined;
    const existed = visible
      ? existsWithin(visible, basis.reader(), operation.resource, isGraph)
      : resourceExists(basis.reader(), operation.resource, isGraph);
    const plan =
      operation.kind === 'content'
        ? planResourceContent(basis, operation, stamp.sequence)
        : planResource(basis, operation, { existed, isGraph: isGraph(operation.resource) }, blankPrefix);
    return { ...plan, existed };
  }
}

function isOnPrefixes(operation: Operation): operation is PrefixOperation {
  return 'prefix' in operation || 'learned' in operation;
}

function changesGraphs({ created, dropped }: PatchHeader): boolean {
  return created.length > 0 || dropped.length > 0;
}

type GraphOrResource = Exclude<
  Transaction['preconditions'][number],
  DatasetPrecondition | PrefixPrecondition | ProgramPrecondition
>;

function targetOf(precondition: GraphOrResource): string {
  if ('target' in precondition) return precondition.target;
  if ('unchanged' in precondition) return precondition.unchanged[0]?.graph ?? '';
  return 'resource' in precondition ? precondition.resource : precondition.graph;
}

function preconditionFailed(precondition: Transaction['preconditions'][number]): ErrorData {
  if ('dataset' in precondition) return wrongState('The data set').error;
  if ('program' in precondition) return wrongState(`The program '${precondition.program}'`).error;
  if ('prefix' in precondition) return wrongState(`The prefix '${precondition.prefix}'`).error;
  const uri = targetOf(precondition);
  return wrongState(`<${uri}>`, { uri }).error;
}

function totalOf(growth: readonly GraphGrowth[]): Pick<Outcome, 'added' | 'removed'> {
  let added = 0;
  let removed = 0;
  for (const graph of growth) {
    added += graph.added;
    removed += graph.removed;
  }
  return { added, removed };
}

function countsOf({ additions, removals }: Changes): Pick<Outcome, 'added' | 'removed'> {
  return { added: additions.length / 4, removed: removals.length / 4 };
}
