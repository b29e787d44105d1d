import type { Condition } from '../condition.ts';
import { failure, type Result } from '../errors.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import type { BaseOperation } from './base-operation.ts';
import type { LdpOperation, LdpPrecondition } from './ldp-operation.ts';
import type { ResourceOperation, ResourcePrecondition } from './resource-operation.ts';

export type Operation = GraphOperation | ResourceOperation | LdpOperation | BaseOperation;

/** One change to the named graphs. Graph names are absolute IRIs. */
export type GraphOperation =
  /** Adds the triples of the block to one graph, whatever graphs the block names. Creates the graph. */
  | { readonly kind: 'merge'; readonly graph: string; readonly block: QuadBlock }
  /** Adds the quads of the block to the graphs that it names; those without a graph go to `defaultGraph`. */
  | { readonly kind: 'load'; readonly defaultGraph: string; readonly block: QuadBlock }
  /** The graph holds the triples of the block, and no others, afterwards. Creates the graph. */
  | { readonly kind: 'replace'; readonly graph: string; readonly block: QuadBlock }
  /** Removes the graph and its triples; with `keep` it goes on existing, empty. */
  | { readonly kind: 'drop'; readonly graph: string; readonly keep: boolean }
  /** Removes the triples of `removals`, then adds those of `additions`. Creates the graph. */
  | {
      readonly kind: 'edit';
      readonly graph: string;
      readonly additions: QuadBlock;
      readonly removals: QuadBlock;
    };

export interface Precondition extends Condition {
  readonly graph: string;
}

/** All of it happens, durably, or none of it. */
export interface Transaction {
  /** Its number on the commit board, if it can be cancelled. */
  readonly id?: number;
  readonly preconditions: readonly (Precondition | ResourcePrecondition | LdpPrecondition)[];
  readonly operations: readonly Operation[];
}

/**
 * What one operation did to one graph; for `load`, to `defaultGraph` and the others taken together; for an operation on a
 * resource, to all graphs, the server's own included.
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
