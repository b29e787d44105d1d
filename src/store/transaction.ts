import type { Condition } from '../condition.ts';
import { failure, type Result } from '../errors.ts';
import type { GraphOperation } from '../snapshot/graph-operation.ts';
import type { BaseOperation } from './base-operation.ts';
import type { DatasetScope } from './dataset-state.ts';
import type { LdpOperation, LdpPrecondition } from './ldp-operation.ts';
import type { ResourceOperation, ResourcePrecondition } from './resource-operation.ts';

export type { GraphOperation } from '../snapshot/graph-operation.ts';

export type Operation = GraphOperation | ResourceOperation | LdpOperation | BaseOperation;

export interface Precondition extends Condition {
  readonly graph: string;
}

/** Upon the state of all graphs that the data set has, see `DatasetState`. */
export interface DatasetPrecondition extends Condition {
  readonly dataset: DatasetScope;
}

/** Graphs must be as they were when commit number `since` was the newest. */
export interface UnchangedPrecondition {
  readonly since: number;
  readonly unchanged: readonly SeenGraph[];
}

export interface SeenGraph {
  readonly graph: string;
  /** Whether it held triples, or was known to be there without any. */
  readonly existed: boolean;
}

/** All of it happens, durably, or none of it. */
export interface Transaction {
  /** Its number on the commit board, if it can be cancelled. */
  readonly id?: number;
  readonly preconditions: readonly (
    | Precondition
    | DatasetPrecondition
    | ResourcePrecondition
    | LdpPrecondition
    | UnchangedPrecondition
  )[];
  readonly operations: readonly Operation[];
}

/**
 * What one operation did to one graph; for `update`, to all graphs taken together; for `load`, to
 * `defaultGraph` and the others taken together; for an operation on a resource, to all graphs, the
 * server's own included.
 */
export interface Outcome {
  /** Whether the graph, or the resource, existed before. */
  readonly existed: boolean;
  readonly added: number;
  readonly removed: number;
  /** Triples in the graph after the transaction; 0 for a resource. */
  readonly size: number;
  /** Of `describe`: triples of the block that do not concern the resource. */
  readonly ignored?: number;
  /** Of `content`: number of the commit that made it the content, which may be one of before. */
  readonly contentSequence?: number;
}

export interface TransactionResult {
  /** Number of the commit that made this durable; the newest one when nothing changed. */
  readonly sequence: number;
  readonly outcomes: readonly Outcome[];
}

/** What the only operation of a transaction did. */
export function firstOutcome(committed: Result<TransactionResult>): Result<Outcome> {
  if (!committed.ok) return committed;
  const [outcome] = committed.value.outcomes;
  return outcome ? { ok: true, value: outcome } : failure('internal', 'The store returned no outcome.');
}
