/**
 * Quads in transit between threads: a table of distinct terms, and the quads as indexes into it.
 * Numbers only. Large blocks from a pool thread are in shared memory, so that they are not copied
 * from thread to thread.
 */
export interface QuadBlock {
  /**
   * Canonical N-Triples forms (see `term.ts`) in UTF-8, one after another. The blank nodes in a
   * triple term are terms of the block, too.
   */
  readonly termBytes: Uint8Array;
  /**
   * Term `i` is `termBytes[termOffsets[i] .. termOffsets[i + 1])`; one entry more than there are
   * terms.
   */
  readonly termOffsets: Uint32Array;
  /**
   * Four term indexes for each quad: subject, predicate, object, graph. `NO_GRAPH` if the payload
   * names none.
   */
  readonly quads: Uint32Array;
  /** The values of the graph column, each once, so that the main thread need not read the quads. */
  readonly graphs: Uint32Array;
  /**
   * True if blank-node labels belong to one payload, and so represent nodes that the store does not
   * have yet; false if they are the store's own labels.
   */
  readonly freshBlankNodes: boolean;
  /** The prefixes that the document declares, as the text of `DeclaredPrefixes`. */
  readonly prefixes?: string;
}

/** In the graph column of a `QuadBlock`: the quad names no graph. */
export const NO_GRAPH = 0xffffffff;

/** Returns a new block without quads: each transaction transfers its own block. */
export function emptyBlock(): QuadBlock {
  return {
    termBytes: new Uint8Array(0),
    termOffsets: new Uint32Array(1),
    quads: new Uint32Array(0),
    graphs: new Uint32Array(0),
    freshBlankNodes: true,
  };
}

/** Returns the buffers of a block that are transferred with a message, not shared. */
export function transferables(block: QuadBlock): ArrayBuffer[] {
  const buffers = [block.termBytes, block.termOffsets, block.quads].map(({ buffer }) => buffer);
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer);
}
