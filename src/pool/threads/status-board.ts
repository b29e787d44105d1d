const HOST_BUSY = 0;
const FIRST_ID = 1;
/** Counts of a thread: evaluations, and their steps. They come first, to be aligned. */
const COUNTS = 2;
const COUNT_BYTES = COUNTS * Float64Array.BYTES_PER_ELEMENT;
const ID_BYTES = Int32Array.BYTES_PER_ELEMENT;
const HEAD_BYTES = FIRST_ID * ID_BYTES;

/** What threads have done since the start. */
export interface Evaluated {
  readonly evaluations: number;
  readonly steps: number;
}

/**
 * Shared memory in which each pool thread stores the id that the operating system gave it, so that
 * the main thread can read its processor time, and counts its evaluations. The main thread sets
 * there whether threads may lower their priority.
 */
export class ThreadBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Float64Array;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    const threads = (buffer.byteLength - HEAD_BYTES) / (COUNT_BYTES + ID_BYTES);
    this.buffer = buffer;
    this.#counts = new Float64Array(buffer, 0, threads * COUNTS);
    this.#words = new Int32Array(buffer, threads * COUNT_BYTES);
  }

  static forThreads(threads: number): ThreadBoard {
    return new ThreadBoard(new SharedArrayBuffer(HEAD_BYTES + threads * (COUNT_BYTES + ID_BYTES)));
  }

  /** What all threads, also those that are gone, have done in the jobs that ended. */
  get evaluated(): Evaluated {
    let [evaluations, steps] = [0, 0];
    for (let i = 0; i < this.#counts.length; i += COUNTS) {
      evaluations += this.#counts[i]!;
      steps += this.#counts[i + 1]!;
    }
    return { evaluations, steps };
  }

  /**
   * Whether other processes use so much of the machine that a thread of low priority gets next to
   * nothing.
   */
  get hostBusy(): boolean {
    return Atomics.load(this.#words, HOST_BUSY) !== 0;
  }

  set hostBusy(busy: boolean) {
    Atomics.store(this.#words, HOST_BUSY, busy ? 1 : 0);
  }

  /**
   * Returns the id of the last thread that began a job in the slot; 0 if there was none, and where
   * it is unknown.
   */
  id(workerSlot: number): number {
    return Atomics.load(this.#words, FIRST_ID + workerSlot);
  }

  /** Call it in a thread that begins a job. */
  announce(workerSlot: number, id: number): void {
    Atomics.store(this.#words, FIRST_ID + workerSlot, id);
  }

  /** Call it in a thread at the end of a job. */
  addEvaluated(workerSlot: number, evaluations: number, steps: number): void {
    this.#counts[workerSlot * COUNTS]! += evaluations;
    this.#counts[workerSlot * COUNTS + 1]! += steps;
  }
}
