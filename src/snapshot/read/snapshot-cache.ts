import type { SnapshotDescriptor } from '../descriptor.ts';
import { SnapshotReader } from './reader.ts';

/** Keeps a thread's newest reader, for further jobs with the same snapshot. */
export class SnapshotCache {
  #descriptor: SnapshotDescriptor | undefined;
  #reader: SnapshotReader | undefined;

  open(descriptor: SnapshotDescriptor): SnapshotReader {
    if (this.#reader === undefined || !isSame(descriptor, this.#descriptor)) {
      this.#reader = new SnapshotReader(descriptor);
      this.#descriptor = descriptor;
    }
    return this.#reader;
  }

  /** Returns the reader that was opened last. Throws if there is none. */
  reopen(): SnapshotReader {
    if (this.#reader === undefined) throw new Error('No snapshot was opened before.');
    return this.#reader;
  }
}

/**
 * After a compaction, runs or ids differ although the commit is the same, and while a large commit
 * is being prepared, terms do. (Buffers have no identity across threads.)
 */
function isSame(x: SnapshotDescriptor, y: SnapshotDescriptor | undefined): boolean {
  return (
    x.sequence === y?.sequence &&
    x.dictionary.generation === y.dictionary.generation &&
    x.dictionary.termCount === y.dictionary.termCount &&
    x.logCount === y.logCount &&
    x.deltas.length === y.deltas.length
  );
}
