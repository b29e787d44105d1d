import type { SharedCheckpoints } from '../../src/store/cluster/shared-checkpoints.ts';
import type { SimDisk } from '../simulation/sim-disk.ts';

interface StoredCheckpoint {
  readonly sequence: number;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The newest shared checkpoint, in memory, as several processes see it. */
export class MemoryCheckpoints {
  #newest: StoredCheckpoint | undefined;

  /** The view of the process that has this disk. */
  on(disk: SimDisk): SharedCheckpoints {
    return {
      fetch: async () => {
        for (const name of disk.names()) if (name.startsWith('checkpoint-')) await disk.remove(name);
        for (const [name, bytes] of this.#newest?.files ?? []) disk.put(name, bytes);
      },
      // The log in memory knows what is covered.
      refresh: async () => {},
      install: async (names, sequence) => {
        const files = new Map(names.map((name) => [name, Uint8Array.from(disk.bytesOf(name))]));
        await null;
        if (sequence > (this.#newest?.sequence ?? 0)) this.#newest = { sequence, files };
      },
    };
  }
}
