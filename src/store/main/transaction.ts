import type { Precondition } from '../../base/precondition.ts';
import { failure, type Result } from '../../errors.ts';
import type { LdpOperation, LdpPrecondition } from '../../ldp/store/operation.ts';
import type { GraphOperation } from '../../snapshot/write/graph-operation.ts';
import type { BaseOperation } from '../registry/base-operation.ts';
import type { DatasetScope } from '../registry/dataset-state.ts';
import type { PrefixOperation, PrefixPrecondition } from '../registry/prefix-operation.ts';
import type { ProgramOperation, ProgramPrecondition } from '../registry/program-operation.ts';
import type { ResourceOperation, ResourcePrecondition } from '../registry/resource-operation.ts';

export type { GraphOperation } from '../../snapshot/write/graph-operation.ts';

export type Operation =
  | GraphOperation
  | ResourceOperation
  | LdpOperation
  | ProgramOperation
  | PrefixOperation
  | BaseOperation;

export interface GraphPrecondition extends Precondition {
  readonly graph: string;
}

/** A precondition on the state of all graphs of the data set, see `DatasetState`. */
export interface DatasetPrecondition extends Precondition {
  readonly dataset: DatasetScope;
}

/** Requires that graphs are unchanged since commit number `since`. */
export interface UnchangedPrecondition {
  readonly since: number;
  readonly unchanged: readonly SeenGraph[];
}

export interface SeenGraph {
  readonly graph: string;
  /** Whether it had triples, or was known to exist without triples. */
  readonly existed: boolean;
}

/** Takes effect completely and durably, or not at all. */
export interface Transaction {
  /** Its number on the commit board, if it can be cancelled. */
  readonly id?: number;
  readonly preconditions: readonly (
    | GraphPrecondition
    | DatasetPrecondition
    | ResourcePrecondition
    | LdpPrecondition
    | ProgramPrecondition
    | PrefixPrecondition
    | UnchangedPrecondition
  )[];
  readonly operations: readonly Operation[];
}

/**
 * The effect of one operation on one graph. For `update`, on all graphs taken together; for `load`,
 * on `defaultGraph` and the others taken together; for an operation on a resource, a stored program
 * or stored prefixes, on all graphs, including the server's own.
 */
export interface Outcome {
  /** Whether the graph, the resource, the stored program or the prefix existed before. */
  readonly existed: boolean;
  readonly added: number;
  readonly removed: number;
  /** Triples in the graph after the transaction; 0 for a resource, a program or prefixes. */
  readonly size: number;
  /** For `describe`: number of triples of the block that are not about the resource. */
  readonly ignored?: number;
  /**
   * For `content`, `store-program` and `store-prefix`: number of the commit that stored it, which
   * may be an earlier one.
   */
  readonly contentSequence?: number;
}

export interface TransactionResult {
  /** Number of the commit that made this durable; the newest one if nothing changed. */
  readonly sequence: number;
  readonly outcomes: readonly Outcome[];
}

/** Returns the outcome of a transaction's only operation. */
export function firstOutcome(committed: Result<TransactionResult>): Result<Outcome> {
  if (!committed.ok) return committed;
  const [outcome] = committed.value.outcomes;
  return outcome ? { ok: true, value: outcome } : failure('internal', 'The store returned no outcome.');
}
