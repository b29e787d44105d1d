/** Store threads and pool threads in the thread of the test, with the code of the real ones. */
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { Disk } from '../../src/journal/disk/disk.ts';
import type { Job } from '../../src/pool/messages.ts';
import type { WorkerSlot } from '../../src/pool/runs/run.ts';
import { emptySlot, type ThreadsOptions, type WorkerThreads } from '../../src/pool/threads/threads.ts';
import type { WorkerData } from '../../src/pool/threads/worker-data.ts';
import { JobRunner } from '../../src/pool/worker/job.ts';
import type { StoreWorker } from '../../src/store/main/client.ts';
import type { FromStore, StoreSettings, ToStore } from '../../src/store/messages.ts';
import { recoverSharedStore, type SharedData } from '../../src/store/recovery/open-shared.ts';
import { recoverStore } from '../../src/store/recovery/open-store.ts';
import { StoreThread } from '../../src/store/thread/store-thread.ts';

/** A store on the disk, with its own clock. It gets its messages in later turns, as copies. */
export class InProcessStore extends EventEmitter implements StoreWorker {
  readonly #thread: StoreThread;

  /** `shared`: what the store shares with others; by default its log is on the disk. */
  constructor(settings: StoreSettings, disk: Disk, now: () => number, shared?: SharedData) {
    super();
    this.#thread = new StoreThread(settings, {
      post: (message) => this.#emit(message),
      onClosed: () => setImmediate(() => this.emit('exit', 0)),
      open: (given, notice) =>
        shared
          ? recoverSharedStore(disk, shared, { ...given, now })
          : recoverStore(disk, { ...given, now }, notice),
    });
    setImmediate(() => void this.#thread.open());
  }

  postMessage(messages: readonly ToStore[], transfer: readonly ArrayBuffer[] = []): void {
    const copies = structuredClone(messages, { transfer: [...transfer] });
    setImmediate(() => this.#thread.receive(...copies));
  }

  #emit(message: FromStore): void {
    // The store must not change the priority of the test's thread.
    const own = message.kind === 'opened' ? { ...message, thread: undefined } : message;
    const copy = structuredClone(own);
    setImmediate(() => this.emit('message', copy));
  }
}

/** Runs each job in a later turn, on a copy of it. */
export class InProcessThreads implements WorkerThreads {
  readonly workerSlots: readonly WorkerSlot[];
  readonly #runners: readonly JobRunner[];

  constructor({ count, workerData }: ThreadsOptions) {
    this.#runners = Array.from({ length: count }, () => new JobRunner(workerData as WorkerData));
    const worker = { threadId: 0, terminate: () => Promise.resolve(0) };
    this.workerSlots = this.#runners.map((_, index) => ({ ...emptySlot(index), worker }));
  }

  idle(): WorkerSlot | undefined {
    return this.workerSlots.find(({ run }) => run === null);
  }

  idleCount(): number {
    return this.workerSlots.filter(({ run }) => run === null).length;
  }

  async run({ index }: WorkerSlot, job: Job, transferList: readonly Transferable[]): Promise<unknown> {
    const copy = structuredClone(job, { transfer: [...transferList] as ArrayBuffer[] });
    await turn();
    return structuredClone(await this.#runners[index]!.run(copy));
  }

  terminate(): never {
    throw new Error('A job in the thread of the test cannot be terminated.');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
