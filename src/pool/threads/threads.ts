import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Job } from '../messages.ts';
import type { WorkerSlot } from '../runs/run.ts';
import { beginFullyGrown, YOUNG_GENERATION_MEGABYTES } from './v8-heap.ts';
import { WorkMeter } from './work-meter.ts';
import { piscinaEntry } from './worker-url.ts';

export interface ThreadsOptions {
  readonly count: number;
  readonly entry: URL;
  readonly workerData: unknown;
  readonly heapMegabytes: number;
  /** Called when a thread is ready in its slot. */
  readonly onReady: () => void;
  /** Called when a thread failed outside of any job; `left` threads exist or are starting. */
  readonly onInternalError: (error: Error, left: number) => void;
}

/** The threads of a pool, and what runs in each. */
export interface WorkerThreads {
  readonly workerSlots: readonly WorkerSlot[];
  /** Returns a slot whose thread is ready and has nothing to do. */
  idle(): WorkerSlot | undefined;
  idleCount(): number;
  /** Rejects if the thread exits. */
  run(workerSlot: WorkerSlot, job: Job, transferList: readonly Transferable[]): Promise<unknown>;
  /** Terminates the slot's thread, even if it is working; its run rejects. */
  terminate(workerSlot: WorkerSlot): void;
  close(): Promise<void>;
}

/**
 * The pool's threads: a Piscina that is told which thread to use, so that it is always known what
 * runs where. Its own queue stays empty, since each slot has only one run at a time.
 */
export class PiscinaThreads implements WorkerThreads {
  readonly workerSlots: readonly WorkerSlot[];
  readonly #piscina: Piscina<Job, unknown>;
  readonly #onReady: () => void;
  /** The thread for the next Piscina task. */
  #chosen = 0;

  constructor(options: ThreadsOptions) {
    this.workerSlots = Array.from({ length: options.count }, (_, index) => emptySlot(index));
    this.#onReady = options.onReady;
    beginFullyGrown();
    this.#piscina = new Piscina<Job, unknown>({
      ...piscinaEntry(options.entry),
      minThreads: options.count,
      maxThreads: options.count,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES,
      },
      workerData: options.workerData,
      recordTiming: false,
      trackUnmanagedFds: false,
      loadBalancer: (_task, workers) => workers.find((worker) => worker.id === this.#chosen) ?? null,
    });
    // Piscina dispatches tasks to a thread only after it has emitted this event. Until then they
    // would wait in its own queue, and might be sent to another thread.
    this.#piscina.on('workerCreate', (created: { id: number }) =>
      queueMicrotask(() => this.#fillSlot(created.id)),
    );
    this.#piscina.on('error', (error: Error) => options.onInternalError(error, this.#piscina.threads.length));
  }

  idle(): WorkerSlot | undefined {
    for (const workerSlot of this.workerSlots)
      if (workerSlot.worker !== null && workerSlot.run === null) return workerSlot;
    return undefined;
  }

  idleCount(): number {
    return this.workerSlots.filter((workerSlot) => workerSlot.worker !== null && workerSlot.run === null)
      .length;
  }

  run(workerSlot: WorkerSlot, job: Job, transferList: readonly Transferable[]): Promise<unknown> {
    this.#chosen = workerSlot.worker?.threadId ?? 0;
    return this.#piscina.run(job, { transferList: transferList as Transferable[] & never[] });
  }

  /**
   * Another thread is started. The run may have ended at this very moment, so the slot is emptied
   * at once. Otherwise another run could begin on a thread that is about to exit.
   */
  terminate(workerSlot: WorkerSlot): void {
    const { worker } = workerSlot;
    workerSlot.worker = null;
    void worker?.terminate();
  }

  close(): Promise<void> {
    return this.#piscina.destroy();
  }

  #fillSlot(threadId: number): void {
    const worker = this.#piscina.threads.find((thread) => thread.threadId === threadId);
    const workerSlot = this.workerSlots.find((candidate) => candidate.worker === null);
    if (!worker || !workerSlot) return;
    workerSlot.worker = worker;
    workerSlot.snapshot = null;
    const leave = () => {
      if (workerSlot.worker === worker) workerSlot.worker = null;
    };
    worker.once('error', leave);
    worker.once('exit', leave);
    this.#onReady();
  }
}

export function emptySlot(index: number): WorkerSlot {
  return {
    index,
    name: `worker-${index + 1}`,
    worker: null,
    run: null,
    snapshot: null,
    meter: new WorkMeter(),
  };
}
