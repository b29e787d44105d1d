import type { QuadBlock } from '../../rdf/model/quad-block.ts';

/** One change to the named graphs. Graph names are absolute IRIs. */
export type GraphOperation =
  /**
   * Adds the triples of the block to one graph, ignoring the graphs that the block names. Creates
   * the graph.
   */
  | { readonly kind: 'merge'; readonly graph: string; readonly block: QuadBlock }
  /**
   * Adds the quads of the block to the graphs that it names; those without a graph go to
   * `defaultGraph`.
   */
  | { readonly kind: 'load'; readonly defaultGraph: string; readonly block: QuadBlock }
  /** Afterwards the graph has exactly the triples of the block. Creates the graph. */
  | { readonly kind: 'replace'; readonly graph: string; readonly block: QuadBlock }
  /** Removes the graph and its triples; with `keep` the graph still exists, but is empty. */
  | { readonly kind: 'drop'; readonly graph: string; readonly keep: boolean }
  /** Removes the triples of `removals`, then adds those of `additions`. Creates the graph. */
  | {
      readonly kind: 'edit';
      readonly graph: string;
      readonly additions: QuadBlock;
      readonly removals: QuadBlock;
    }
  | UpdateOperation;

/**
 * Changes several graphs at once, in the order of the members, except that added quads that already
 * exist are kept. All quads name their graphs.
 */
export interface UpdateOperation {
  readonly kind: 'update';
  /** These graphs lose all their triples. */
  readonly cleared: readonly string[];
  readonly removals: QuadBlock;
  readonly additions: QuadBlock;
  /** These graphs exist afterwards, though they may be empty. */
  readonly created: readonly string[];
  /** A subset of the cleared graphs: these do not exist afterwards. */
  readonly dropped: readonly string[];
}
