const HOST_BUSY = 0;
const FIRST_ID = 1;

/**
 * Shared memory in which each pool thread stores the id that the operating system gave it, so that
 * the main thread can read its processor time. The main thread sets there whether threads may lower
 * their priority.
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
}
