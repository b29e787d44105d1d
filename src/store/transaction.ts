import type { QuadBlock } from '../graph/quad-block.ts';

/** One change to the named graphs. Graph names are absolute IRIs. */
export type Operation =
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

/**
 * What must hold of a graph when the transaction's turn comes (RFC 9110 section 13). A state is
 * `GraphInfo.state`. All of the given members must hold.
 */
export interface Precondition {
  readonly graph: string;
  /** `*`: the graph exists; else its state is one of these. */
  readonly match?: '*' | readonly string[];
  /** `*`: the graph does not exist; else its state is none of these. */
  readonly noneMatch?: '*' | readonly string[];
  /** Milliseconds since 1970: the graph was not changed after the end of this second. */
  readonly unmodifiedSince?: number;
}

/** All of it happens, durably, or none of it. */
export interface Transaction {
  readonly preconditions: readonly Precondition[];
  readonly operations: readonly Operation[];
}

/** What one operation did to one graph; for `load`, to `defaultGraph` and the others taken together. */
export interface Outcome {
  /** Whether the graph existed before. */
  readonly existed: boolean;
  readonly added: number;
  readonly removed: number;
  /** Triples in the graph after the transaction. */
  readonly size: number;
}

export interface TransactionResult {
  /** Number of the commit that made this durable; the newest one when nothing changed. */
  readonly sequence: number;
  readonly outcomes: readonly Outcome[];
}
