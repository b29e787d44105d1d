/**
 * Quads on their way between threads: a table of distinct terms and the quads as indexes into it.
 * Numbers only. What a pool thread hands over is in shared memory when it is big, so that it is not copied from thread to thread.
 */
export interface QuadBlock {
  /** Canonical N-Triples forms (see `term.ts`) in UTF-8, one after another. */
  readonly termBytes: Uint8Array;
  /** Term `i` is `termBytes[termOffsets[i] .. termOffsets[i + 1])`; one entry more than there are terms. */
  readonly termOffsets: Uint32Array;
  /** Four term indexes a quad: subject, predicate, object, graph. `NO_GRAPH` where the payload names none. */
  readonly quads: Uint32Array;
  /** The values of the graph column, each once, so that the main thread need not read the quads. */
  readonly graphs: Uint32Array;
  /**
   * True when blank-node labels are those of one payload, and so stand for nodes the store does not have
   * yet; false when they are the store's own labels.
   */
  readonly freshBlankNodes: boolean;
}

/** In the graph column of a `QuadBlock`: the quad names no graph. */
export const NO_GRAPH = 0xffffffff;

/** A new block without quads: a block is handed over with its transaction. */
export function emptyBlock(): QuadBlock {
  return {
    termBytes: new Uint8Array(0),
    termOffsets: new Uint32Array(1),
    quads: new Uint32Array(0),
    graphs: new Uint32Array(0),
    freshBlankNodes: true,
  };
}

/** The buffers of a block that are moved with a message, not shared. */
export function transferables(block: QuadBlock): ArrayBuffer[] {
  const buffers = [block.termBytes, block.termOffsets, block.quads].map(({ buffer }) => buffer);
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer);
}
