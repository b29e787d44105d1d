/** Transactions that are told apart at one time; a power of two. */
const SLOTS = 1024;
const ID = 0;
const PLANNED = 1;
const CANCELLED = 2;
const COMMITTING = 3;
const SLOT_WORDS = 4;

/**
 * Shared memory in which the store thread, or the pool thread that plans for it, says how far the planning of a transaction has
 * come, and in which the main thread asks it to give one up: no messages are read while planning. A transaction has the slot of its number; one
 * that is 1,024 newer takes the slot over, which costs no more than the display of the older one.
 */
export class CommitBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(SLOTS * SLOT_WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  // The main thread's side.

  /** False when it is too late: the transaction is being written to the journal, or has been. */
  cancel(id: number): boolean {
    Atomics.store(this.#words, slotOf(id) + CANCELLED, id);
    return Atomics.load(this.#words, slotOf(id) + COMMITTING) !== id;
  }

  /** Triples of the transaction that were looked at so far; 0 before it is planned. */
  planned(id: number): number {
    const slot = slotOf(id);
    return Atomics.load(this.#words, slot + ID) === id ? Atomics.load(this.#words, slot + PLANNED) : 0;
  }

  // The side of the thread that works on it.

  /** Whether the transaction is to be given up. */
  isCancelled(id: number): boolean {
    return Atomics.load(this.#words, slotOf(id) + CANCELLED) === id;
  }

  /** Says how many triples were looked at. False when the transaction is to be given up. */
  report(id: number, triples: number): boolean {
    const slot = slotOf(id);
    Atomics.store(this.#words, slot + PLANNED, triples);
    Atomics.store(this.#words, slot + ID, id);
    return !this.isCancelled(id);
  }

  /** From here on it can't be given up. False when it is to be given up after all. */
  commit(id: number): boolean {
    const slot = slotOf(id);
    Atomics.store(this.#words, slot + COMMITTING, id);
    return !this.isCancelled(id);
  }
}

function slotOf(id: number): number {
  return (id & (SLOTS - 1)) * SLOT_WORDS;
}
