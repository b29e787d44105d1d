/** Transactions that are told apart at one time; a power of two. */
const SLOTS = 1024;
const ID = 0;
const PLANNED = 1;
/** What was decided last in this slot, see `decision`. */
const DECISION = 2;
const SLOT_WORDS = 3;
/**
 * Numbers of transactions that are told apart: with one more bit they fit into a word, and none is
 * 0.
 */
const NUMBERS = 2 ** 31 - 1;
const CANCELLED = 0;
const COMMITTING = 1;

/**
 * Shared memory in which the store thread, or the pool thread that plans for it, says how far the
 * planning of a transaction has come, and in which the main thread asks it to give one up: no
 * messages are read while planning. A transaction has the slot of its number until it is answered
 * (see `BoardNumbers`); then another one may take the slot over.
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
    return this.#decide(id, CANCELLED);
  }

  /** Triples of the transaction that were looked at so far; 0 before it is planned. */
  planned(id: number): number {
    const slot = slotOf(id);
    return Atomics.load(this.#words, slot + ID) === wordOf(id)
      ? Atomics.load(this.#words, slot + PLANNED)
      : 0;
  }

  // The side of the thread that works on it.

  /** Whether the transaction is to be given up. */
  isCancelled(id: number): boolean {
    return Atomics.load(this.#words, slotOf(id) + DECISION) === decision(id, CANCELLED);
  }

  /** Says how many triples were looked at. False when the transaction is to be given up. */
  report(id: number, triples: number): boolean {
    const slot = slotOf(id);
    Atomics.store(this.#words, slot + PLANNED, triples);
    Atomics.store(this.#words, slot + ID, wordOf(id));
    return !this.isCancelled(id);
  }

  /** From here on it can't be given up. False when it is to be given up after all. */
  commit(id: number): boolean {
    return this.#decide(id, COMMITTING);
  }

  /** Both sides decide; what comes first stays. False when the other was first. */
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

/** Gives transactions their numbers on the board, so that no two of them share a slot. */
export class BoardNumbers {
  readonly #isTaken = new Uint8Array(SLOTS);
  #last = 0;

  /** Undefined while all slots are taken. */
  take(): number | undefined {
    for (let id = this.#last + 1; id <= this.#last + SLOTS; id++) {
      if (this.#isTaken[id % SLOTS]) continue;
      this.#isTaken[id % SLOTS] = 1;
      this.#last = id;
      return id;
    }
    return undefined;
  }

  /** The transaction was answered. */
  release(id: number): void {
    this.#isTaken[id % SLOTS] = 0;
  }
}

function slotOf(id: number): number {
  return (id % SLOTS) * SLOT_WORDS;
}

/** A number as a word holds it. */
function wordOf(id: number): number {
  return id | 0;
}

function decision(id: number, choice: number): number {
  return ((1 + (id % NUMBERS)) * 2 + choice) | 0;
}
