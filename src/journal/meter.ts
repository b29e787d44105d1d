/** Upper bounds of the times of syncs that are counted, in seconds. */
export const SYNC_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10] as const;

/** When the running change began, in milliseconds of `hrtime`; 0 if there is no change. */
const BEGAN = 0;
const RECORDS = 1;
/** Bytes appended, since the start. */
const WRITTEN = 2;
/** Bytes of the files that no checkpoint has replaced yet. */
const BYTES = 3;
const SYNC_SECONDS = 4;
/** Appends before which other processes of a cluster came, and transactions planned again. */
const CONFLICTS = 5;
const REPLANS = 6;
/** Syncs that took no longer than each bound, and longer than the one before; then all others. */
const FIRST_BOUND = 7;
const WORDS = FIRST_BOUND + SYNC_BOUNDS.length + 1;

/**
 * Shared memory in which the thread of the journal counts its work, so that others can read it
 * without a message. One thread writes. Its words are aligned, so a reader sees whole numbers.
 */
export class JournalMeter {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Float64Array;

  constructor(buffer = new SharedArrayBuffer(WORDS * Float64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#words = new Float64Array(buffer);
  }

  // The side of the journal.

  begin(): void {
    this.#words[BEGAN] = now();
  }

  /** `bytes`: the size of the journal. */
  end(bytes: number): void {
    this.noteBytes(bytes);
    this.#words[BEGAN] = 0;
  }

  noteBytes(bytes: number): void {
    this.#words[BYTES] = bytes;
  }

  /** Counts records that are durable. */
  noteRecords(count: number, bytes: number): void {
    this.#words[RECORDS]! += count;
    this.#words[WRITTEN]! += bytes;
  }

  /** Counts transactions that are planned again because another process came first. */
  noteConflict(transactions: number): void {
    this.#words[CONFLICTS]! += 1;
    this.#words[REPLANS]! += transactions;
  }

  noteSync(seconds: number): void {
    let place = 0;
    while (place < SYNC_BOUNDS.length && seconds > SYNC_BOUNDS[place]!) place++;
    this.#words[FIRST_BOUND + place]! += 1;
    this.#words[SYNC_SECONDS]! += seconds;
  }

  // The side of the readers.

  /** How long the current change has been running, in milliseconds; 0 while there is no change. */
  get busyMs(): number {
    const began = this.#words[BEGAN]!;
    return began === 0 ? 0 : Math.max(0, now() - began);
  }

  get records(): number {
    return this.#words[RECORDS]!;
  }

  get writtenBytes(): number {
    return this.#words[WRITTEN]!;
  }

  get conflicts(): number {
    return this.#words[CONFLICTS]!;
  }

  get replans(): number {
    return this.#words[REPLANS]!;
  }

  get bytes(): number {
    return this.#words[BYTES]!;
  }

  get syncSeconds(): number {
    return this.#words[SYNC_SECONDS]!;
  }

  /**
   * Returns the number of syncs within each bound, not counting those within a smaller one; the
   * last entry counts all others.
   */
  get syncCounts(): readonly number[] {
    return Array.from(this.#words.subarray(FIRST_BOUND, WORDS));
  }
}

/** Milliseconds of a clock that all threads of the process share. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
