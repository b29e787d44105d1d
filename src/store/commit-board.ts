/** The number of transactions that can use the board at one time; a power of two. */
const SLOTS = 1024;
const ID = 0;
const PLANNED = 1;
/** The last decision in this slot, see `decision`. */
const DECISION = 2;
const SLOT_WORDS = 3;
/**
 * The number of distinct transaction numbers in a decision: together with one more bit they fit
 * into a word, and no decision is 0.
 */
const NUMBERS = 2 ** 31 - 1;
const CANCELLED = 0;
const COMMITTING = 1;

/**
 * Shared memory in which the store thread, or the pool thread that plans for it, reports the
 * progress of planning a transaction, and in which the main thread asks for its cancellation: no
 * messages are read while planning. A transaction has the slot of its number until it has its
 * result (see `BoardNumbers`); then another may use the slot.
 */
export class CommitBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(SLOTS * SLOT_WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  // The main thread's side.

  /**
   * Cancels a transaction. Returns false if it is too late: it is being written to the journal, or
   * has been.
   */
  cancel(id: number): boolean {
    return this.#decide(id, CANCELLED);
  }

  /** Returns the number of triples processed so far; 0 before planning starts. */
  planned(id: number): number {
    const slot = slotOf(id);
    return Atomics.load(this.#words, slot + ID) === wordOf(id)
      ? Atomics.load(this.#words, slot + PLANNED)
      : 0;
  }

  // The side of the thread that works on the transaction.

  /** Whether the transaction is to be abandoned. */
  isCancelled(id: number): boolean {
    return Atomics.load(this.#words, slotOf(id) + DECISION) === decision(id, CANCELLED);
  }

  /**
   * Reports the number of triples processed. Returns false if the transaction is to be abandoned.
   */
  report(id: number, triples: number): boolean {
    const slot = slotOf(id);
    Atomics.store(this.#words, slot + PLANNED, triples);
    Atomics.store(this.#words, slot + ID, wordOf(id));
    return !this.isCancelled(id);
  }

  /** Rules out cancellation from here on. Returns false if the transaction was cancelled before. */
  commit(id: number): boolean {
    return this.#decide(id, COMMITTING);
  }

  /**
   * Records a decision; the first one of the two sides wins. Returns false if the other side was
   * first.
   */
  #decide(id: number, choice: typeof CANCELLED | typeof COMMITTING): boolean {
    const place = slotOf(id) + DECISION;
    const other = decision(id, choice === CANCELLED ? COMMITTING : CANCELLED);
    for (;;) {
      const found = Atomics.load(this.#words, place);
      if (found === other) return false;
      if (Atomics.compareExchange(this.#words, place, found, decision(id, choice)) === found) return true;
    }
  }
}

/** Assigns the transactions' numbers on the board, so that no two of them share a slot. */
export class BoardNumbers {
  readonly #isTaken = new Uint8Array(SLOTS);
  #last = 0;

  /** Returns a free number; undefined while all slots are taken. */
  take(): number | undefined {
    for (let id = this.#last + 1; id <= this.#last + SLOTS; id++) {
      if (this.#isTaken[id % SLOTS]) continue;
      this.#isTaken[id % SLOTS] = 1;
      this.#last = id;
      return id;
    }
    return undefined;
  }

  /** Frees the number of a transaction that has its result. */
  release(id: number): void {
    this.#isTaken[id % SLOTS] = 0;
  }
}

function slotOf(id: number): number {
  return (id % SLOTS) * SLOT_WORDS;
}

/** A number truncated to the 32 bits of a word. */
function wordOf(id: number): number {
  return id | 0;
}

function decision(id: number, choice: number): number {
  return ((1 + (id % NUMBERS)) * 2 + choice) | 0;
}
