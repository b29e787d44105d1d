/**
 * A snapshot as it travels between threads: SharedArrayBuffers and a few numbers, cloned in microseconds. All
 * that it describes is immutable, except that shared buffers may hold more terms than `termCount` counts, and
 * more changes than `logCount`: a reader must not look at those.
 */
export interface SnapshotDescriptor {
  /** Number of the last commit that the snapshot contains. */
  readonly sequence: number;
  readonly quadCount: number;
  readonly dictionary: DictionaryDescriptor;
  /** The big, indexed run. */
  readonly base: SharedArrayBuffer;
  /** Runs of later changes, oldest first; rarely more than a dozen. */
  readonly deltas: readonly SharedArrayBuffer[];
  /** The newest changes, appended in place; a reader must look at the first `logCount` of them only. */
  readonly log: SharedArrayBuffer;
  readonly logCount: number;
}

export interface DictionaryDescriptor {
  /**
   * Goes up when terms get other ids: an id means nothing in a dictionary of another generation.
   */
  readonly generation: number;
  /** Ids in use are 1 .. termCount. */
  readonly termCount: number;
  /** Canonical N-Triples bytes of all terms, one after another. */
  readonly arena: SharedArrayBuffer;
  /** Uint32 per id: where its bytes end; they begin where those of the id before end. Entry 0 is 0. */
  readonly ends: SharedArrayBuffer;
  /** Open-addressing hash table from bytes to id. */
  readonly table: SharedArrayBuffer;
}
