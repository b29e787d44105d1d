import { monotonicMs } from '../threads/monotonic-clock.ts';

/** The most evaluations in one micro-batch: the number of cancel bits in a slot. */
export const MAX_BATCH = 256;

/** Value of `current` for a slot whose thread has not begun its job yet. */
export const NOT_BEGUN = -1;

const CURRENT = 0;
const STEP_STARTED = 1;
const PROGRESS = 2;
const TOTAL = 3;
const LAST_UPDATE = 4;
const BUSY_MICROS = 5;
const RECALLED = 6;
const CANCEL = 8;
const SLOT_WORDS = CANCEL + MAX_BATCH / 32;

/**
 * Shared memory in which each pool thread reports its progress, and in which the main thread asks
 * it to stop, so that no messages are needed. One slot of 64 bytes (a cache line) for each thread.
 *
 * A job is a sequence of steps: the evaluations of a micro-batch, or a single step 0. Times are
 * stored modulo 2^32 ms.
 */
export class TaskBoard {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  static forThreads(threads: number): TaskBoard {
    return new TaskBoard(new SharedArrayBuffer(threads * SLOT_WORDS * Int32Array.BYTES_PER_ELEMENT));
  }

  // The main thread's side.

  /** Call it before a job is dispatched to the slot's thread. */
  reset(slot: number): void {
    const first = slot * SLOT_WORDS;
    for (let word = first; word < first + SLOT_WORDS; word++) Atomics.store(this.#words, word, 0);
    const now = monotonicMs();
    Atomics.store(this.#words, first + CURRENT, NOT_BEGUN);
    Atomics.store(this.#words, first + STEP_STARTED, now);
    Atomics.store(this.#words, first + LAST_UPDATE, now);
  }

  cancel(slot: number, step: number): void {
    Atomics.or(this.#words, slot * SLOT_WORDS + CANCEL + (step >>> 5), 1 << (step & 31));
  }

  /**
   * Preempts the slot's thread: its job should end soon, with the results that it has so far (see
   * `BatchJob`).
   */
  preempt(slot: number): void {
    Atomics.store(this.#words, slot * SLOT_WORDS + RECALLED, 1);
  }

  /** Returns the step that is running, or `NOT_BEGUN`. */
  current(slot: number): number {
    return Atomics.load(this.#words, slot * SLOT_WORDS + CURRENT);
  }

  /**
   * Returns milliseconds since the current step began, or, before the first step, since the job was
   * dispatched.
   */
  stepAge(slot: number): number {
    return Math.max(0, monotonicMs() - this.stepStarted(slot));
  }

  /** Returns when the current step began, in whole milliseconds of `monotonicMs`. */
  stepStarted(slot: number): number {
    return this.#time(slot * SLOT_WORDS + STEP_STARTED);
  }

  /** Returns when the thread last wrote here, in whole milliseconds of `monotonicMs`. */
  updated(slot: number): number {
    return this.#time(slot * SLOT_WORDS + LAST_UPDATE);
  }

  progress(slot: number): number {
    return Atomics.load(this.#words, slot * SLOT_WORDS + PROGRESS) >>> 0;
  }

  total(slot: number): number {
    return Atomics.load(this.#words, slot * SLOT_WORDS + TOTAL) >>> 0;
  }

  /** Returns the time that the thread spent on its last job, in microseconds, saturated at 2^31. */
  busyMicros(slot: number): number {
    return Atomics.load(this.#words, slot * SLOT_WORDS + BUSY_MICROS);
  }

  // The pool thread's side.

  begin(slot: number, step: number): void {
    const first = slot * SLOT_WORDS;
    const now = monotonicMs();
    Atomics.store(this.#words, first + STEP_STARTED, now);
    Atomics.store(this.#words, first + LAST_UPDATE, now);
    Atomics.store(this.#words, first + PROGRESS, 0);
    Atomics.store(this.#words, first + CURRENT, step);
  }

  /** Both are below 2^32; `total` is 0 if unknown. */
  report(slot: number, progress: number, total: number): void {
    const first = slot * SLOT_WORDS;
    Atomics.store(this.#words, first + PROGRESS, progress);
    Atomics.store(this.#words, first + TOTAL, total);
    Atomics.store(this.#words, first + LAST_UPDATE, monotonicMs());
  }

  cancelled(slot: number, step: number): boolean {
    const word = Atomics.load(this.#words, slot * SLOT_WORDS + CANCEL + (step >>> 5));
    return (word & (1 << (step & 31))) !== 0;
  }

  preempted(slot: number): boolean {
    return Atomics.load(this.#words, slot * SLOT_WORDS + RECALLED) !== 0;
  }

  end(slot: number, busyMs: number): void {
    const micros = Math.min(Math.round(busyMs * 1000), 0x7fffffff);
    Atomics.store(this.#words, slot * SLOT_WORDS + BUSY_MICROS, micros);
  }

  /**
   * The words hold times modulo 2^32 ms. Returns the latest matching time that is not in the
   * future.
   */
  #time(word: number): number {
    const now = Math.floor(monotonicMs());
    return now - Math.max(0, (now - Atomics.load(this.#words, word)) | 0);
  }
}
