import type { SnapshotDescriptor } from './descriptor.ts';
import { SnapshotReader } from './reader.ts';

/** Keeps a thread's newest reader, for the jobs that bring the same snapshot. */
export class SnapshotCache {
  #reader: SnapshotReader | undefined;

  open(descriptor: SnapshotDescriptor): SnapshotReader {
    if (this.#reader?.sequence !== descriptor.sequence) this.#reader = new SnapshotReader(descriptor);
    return this.#reader;
  }
}
