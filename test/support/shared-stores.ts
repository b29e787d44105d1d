import { newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { recoverSharedStore } from '../../src/store/recovery/open-shared.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { type FakeLog, FakeSharedLog } from './fake-log.ts';
import { MemoryCheckpoints } from './memory-checkpoints.ts';

interface ProcessOptions {
  readonly journalMax?: number;
  readonly commitBoard?: SharedArrayBuffer;
  readonly journalMeter?: SharedArrayBuffer;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  readonly leastDead?: number;
  readonly changeFeed?: SharedArrayBuffer;
}

/** A process with a store. */
export interface SharedProcess {
  readonly store: Store;
  readonly log: FakeLog;
  readonly disk: SimDisk;
}

/** Processes that share a log in memory, and the checkpoints. */
export class SharedStores {
  readonly log = new FakeSharedLog();
  readonly checkpoints = new MemoryCheckpoints();

  /** Starts one more process; it may write if it is a writer. */
  async open(isWriter: boolean, given: ProcessOptions = {}): Promise<SharedProcess> {
    const { leastDead, ...options } = given;
    const disk = new SimDisk({ seed: 1 });
    const log = this.log.open();
    const store = await recoverSharedStore(
      disk,
      {
        log,
        identity: this.log.identity,
        checkpoints: this.checkpoints.on(disk),
        ...(leastDead !== undefined && { leastDead }),
      },
      {
        journalMax: 2 ** 30,
        dataMax: 2 ** 31,
        recover: false,
        changeFeed: newChangeFeed({ rows: 64, commits: 16 }),
        ...options,
      },
    );
    store.shared!.setWriter(isWriter);
    return { store, log, disk };
  }
}

/** Takes in what others have committed. */
export async function receiveAll({ store }: SharedProcess): Promise<void> {
  while (store.shared!.hasForeign) await store.receive(() => {});
}
