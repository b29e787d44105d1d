/** An entry of a bucket. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** Increases with each change of the bucket. */
  readonly revision: number;
}

/**
 * A bucket of short texts, of which the log servers of a cluster have copies. Everything rejects if
 * they can't be reached; a change may have been made nevertheless.
 */
export interface Entries {
  get(key: string): Promise<Entry | undefined>;
  /**
   * Returns the revision, or undefined if there is an entry already. That may be one which nobody
   * sees yet, and which may get lost.
   */
  create(key: string, value: string): Promise<number | undefined>;
  /** Returns the new revision, or undefined if the entry has another one now, or is gone. */
  update(entry: Entry): Promise<number | undefined>;
  /** Creates or replaces an entry. */
  put(key: string, value: string): Promise<void>;
  /** `revision`: removes the entry only if it has this one. */
  remove(key: string, revision?: number): Promise<void>;
  /**
   * Calls `changed` with each entry that there is and each later change; the value of a removed
   * one is undefined. What expires is not reported. Calls `ended` if it can report no more. Returns
   * what ends it.
   */
  watch(changed: (key: string, value: string | undefined) => void, ended: () => void): Promise<() => void>;
}
