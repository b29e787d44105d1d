const HOST_BUSY = 0;
const FIRST_ID = 1;

/**
 * Shared memory in which each pool thread leaves the id that the system knows it by, so that the main thread can ask for its
 * processor time, and the main thread says whether threads may lower their priority.
 */
export class ThreadBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static forThreads(threads: number): ThreadBoard {
    return new ThreadBoard(new SharedArrayBuffer((FIRST_ID + threads) * Int32Array.BYTES_PER_ELEMENT));
  }

  /** Whether other processes take so much of the machine that a thread of low priority gets next to nothing. */
  get hostBusy(): boolean {
    return Atomics.load(this.#words, HOST_BUSY) !== 0;
  }

  set hostBusy(busy: boolean) {
    Atomics.store(this.#words, HOST_BUSY, busy ? 1 : 0);
  }

  /** Of the thread that began a job at the seat last; 0 while there was none, and where it can't be known. */
  id(seat: number): number {
    return Atomics.load(this.#words, FIRST_ID + seat);
  }

  /** What a thread does when it begins a job. */
  announce(seat: number, id: number): void {
    Atomics.store(this.#words, FIRST_ID + seat, id);
  }
}
