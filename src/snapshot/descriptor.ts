/**
 * A snapshot in transit between threads: SharedArrayBuffers and a few numbers, cloned in
 * microseconds. Everything that it describes is immutable. But shared buffers may contain more
 * terms than `termCount`, and more changes than `logCount`: a reader must ignore those.
 */
export interface SnapshotDescriptor {
  /** Number of the last commit that the snapshot contains. */
  readonly sequence: number;
  readonly quadCount: number;
  readonly dictionary: DictionaryDescriptor;
  /** The large, indexed run. */
  readonly base: SharedArrayBuffer;
  /** Runs of later changes, oldest first; rarely more than a dozen. */
  readonly deltas: readonly SharedArrayBuffer[];
  /**
   * The newest changes, appended in place; a reader must read only the first `logCount` of them.
   */
  readonly log: SharedArrayBuffer;
  readonly logCount: number;
}

export interface DictionaryDescriptor {
  /**
   * Increases when terms get other ids: an id is meaningless in a dictionary of another generation.
   */
  readonly generation: number;
  /** Ids in use are 1 .. termCount. */
  readonly termCount: number;
  /** Canonical N-Triples bytes of all terms, one after another. */
  readonly arena: SharedArrayBuffer;
  /**
   * One Uint32 for each id: where its bytes end; they begin where those of the previous id end.
   * Entry 0 is 0.
   */
  readonly ends: SharedArrayBuffer;
  /** Open-addressing hash table from bytes to id. */
  readonly table: SharedArrayBuffer;
}
