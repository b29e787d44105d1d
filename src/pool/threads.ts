import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Job } from './messages.ts';
import type { Seat } from './run.ts';
import { beginFullyGrown, YOUNG_GENERATION_MEGABYTES } from './young-generation.ts';

export interface ThreadsOptions {
  readonly count: number;
  readonly entry: URL;
  readonly workerData: unknown;
  readonly heapMegabytes: number;
  /** Called when a thread is ready in its slot. */
  readonly onReady: () => void;
  /** Called when a thread failed outside of any job; `left` threads exist or are starting. */
  readonly onFault: (error: Error, left: number) => void;
}

/**
 * The pool's threads: a Piscina that is told which thread to use, so that it is always known what
 * runs where. Its own queue stays empty, since each slot has only one run at a time.
 */
export class Threads {
  readonly seats: readonly Seat[];
  readonly #piscina: Piscina<Job, unknown>;
  readonly #onReady: () => void;
  /** The thread for the next Piscina task. */
  #chosen = 0;

  constructor(options: ThreadsOptions) {
    this.seats = Array.from({ length: options.count }, (_, index) => emptySeat(index));
    this.#onReady = options.onReady;
    beginFullyGrown();
    this.#piscina = new Piscina<Job, unknown>({
      filename: options.entry.href,
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
      queueMicrotask(() => this.#seatThread(created.id)),
    );
    this.#piscina.on('error', (error: Error) => options.onFault(error, this.#piscina.threads.length));
  }

  idle(): Seat | undefined {
    for (const seat of this.seats) if (seat.worker !== null && seat.run === null) return seat;
    return undefined;
  }

  idleCount(): number {
    return this.seats.filter((seat) => seat.worker !== null && seat.run === null).length;
  }

  /** Rejects if the thread exits. */
  run(seat: Seat, job: Job, transferList: readonly Transferable[]): Promise<unknown> {
    this.#chosen = seat.worker?.threadId ?? 0;
    return this.#piscina.run(job, { transferList: transferList as Transferable[] & never[] });
  }

  /**
   * Terminates the slot's thread, even if it is working; its run rejects, and another thread is
   * started. The run may have ended at this very moment, so the slot is emptied at once. Otherwise
   * another run could begin on a thread that is about to exit.
   */
  terminate(seat: Seat): void {
    const { worker } = seat;
    seat.worker = null;
    void worker?.terminate();
  }

  close(): Promise<void> {
    return this.#piscina.destroy();
  }

  #seatThread(threadId: number): void {
    const worker = this.#piscina.threads.find((thread) => thread.threadId === threadId);
    const seat = this.seats.find((candidate) => candidate.worker === null);
    if (!worker || !seat) return;
    seat.worker = worker;
    seat.snapshot = null;
    const leave = () => {
      if (seat.worker === worker) seat.worker = null;
    };
    worker.once('error', leave);
    worker.once('exit', leave);
    this.#onReady();
  }
}

function emptySeat(index: number): Seat {
  return { index, name: `worker-${index + 1}`, worker: null, run: null, snapshot: null };
}
