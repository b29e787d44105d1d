import type { Transferable, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { Job } from './messages.ts';
import type { Run } from './run.ts';
import { beginFullyGrown, YOUNG_GENERATION_MEGABYTES } from './young-generation.ts';

/** A place for a thread. Threads come and go, the place and its name stay; it is also the thread's board slot. */
export interface Seat {
  readonly index: number;
  /** As `/tasks` shows it (http-api 6.3). */
  readonly name: string;
  worker: Worker | null;
  run: Run | null;
  /** What the thread read in its last job, when that was of evaluations; null else. */
  snapshot: SnapshotDescriptor | null;
}

export interface ThreadsOptions {
  readonly count: number;
  readonly entry: URL;
  readonly workerData: unknown;
  readonly heapMegabytes: number;
  /** A thread has taken a seat. */
  readonly onReady: () => void;
  /** A thread failed outside of any job; `left` threads are there or coming. */
  readonly onFault: (error: Error, left: number) => void;
}

/**
 * The pool's threads: a Piscina that is told which thread to use, so that it is always known what runs where.
 * Its own queue stays empty, since a seat is given one run at a time.
 */
export class Threads {
  readonly seats: readonly Seat[];
  readonly #piscina: Piscina<Job, unknown>;
  readonly #onReady: () => void;
  /** Thread that the next task goes to. */
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
    // Piscina hands tasks to a thread only when it has told of it: until then they would wait in its own queue, and might go to another.
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

  /** Rejects when the thread dies. */
  run(seat: Seat, job: Job, transferList: readonly Transferable[]): Promise<unknown> {
    this.#chosen = seat.worker?.threadId ?? 0;
    return this.#piscina.run(job, { transferList: transferList as Transferable[] & never[] });
  }

  /**
   * Ends the seat's thread whatever it does; its run rejects, and another thread is started. The run may have ended in
   * this very moment: so the seat is given up at once, lest another run begins on a thread that ends.
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
