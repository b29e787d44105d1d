import type { QuadBlock } from '../graph/quad-block.ts';

/** One change to the named graphs. Graph names are absolute IRIs. */
export type GraphOperation =
  /**
   * Adds the triples of the block to one graph, whatever graphs the block names. Creates the graph.
   */
  | { readonly kind: 'merge'; readonly graph: string; readonly block: QuadBlock }
  /**
   * Adds the quads of the block to the graphs that it names; those without a graph go to
   * `defaultGraph`.
   */
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
    }
  | UpdateOperation;

/**
 * Changes several graphs at once: in the order of the members, except that quads which are added
 * stay when they are there already. All quads name their graphs.
 */
export interface UpdateOperation {
  readonly kind: 'update';
  /** They lose all their triples. */
  readonly cleared: readonly string[];
  readonly removals: QuadBlock;
  readonly additions: QuadBlock;
  /** They exist afterwards, though they may be empty. */
  readonly created: readonly string[];
  /** Of those that are cleared: they do not exist afterwards. */
  readonly dropped: readonly string[];
}
