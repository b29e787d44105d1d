import { callForward, ProcessorClock, type ProcessorUse } from '../../base/thread-priority.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { ThreadBoard } from './status-board.ts';

/**
 * A thread is credited with at least this share of the clock's time, even if it had less of a
 * processor, so that no wait lasts forever.
 */
const LEAST_SHARE = 1 / 20;

/**
 * Measures the processor time of threads, and raises their priority when other jobs wait for them.
 */
export class ThreadTimes {
  readonly #board: ThreadBoard;
  readonly #clocks: (ProcessorClock | undefined)[] = [];

  constructor(board: ThreadBoard) {
    this.#board = board;
  }

  /**
   * Returns the use of the processor by the slot's thread; undefined where the operating system
   * does not report it.
   */
  read(workerSlot: number): ProcessorUse | undefined {
    return this.#clockOf(workerSlot)?.read();
  }

  /** Starts a stopwatch for the slot's thread. */
  start(workerSlot: number): Stopwatch {
    return new Stopwatch(() => this.read(workerSlot)?.used);
  }

  /** Restores the usual priority of the slot's thread, because another job waits for it. */
  hurry(workerSlot: number): void {
    callForward(this.#board.id(workerSlot));
  }

  close(): void {
    for (const clock of this.#clocks.splice(0)) clock?.close();
  }

  #clockOf(workerSlot: number): ProcessorClock | undefined {
    const id = this.#board.id(workerSlot);
    const clock = this.#clocks[workerSlot];
    if (clock?.threadId === id) return clock;
    clock?.close();
    this.#clocks[workerSlot] = ProcessorClock.open(id);
    return this.#clocks[workerSlot];
  }
}

/** The time that a thread had: on a processor where that is known, otherwise by the wall clock. */
export class Stopwatch {
  readonly #used: () => number | undefined;
  readonly #usedBefore: number | undefined;
  readonly #started = monotonicMs();

  /** `used`: milliseconds on a processor, if known. */
  constructor(used: () => number | undefined) {
    this.#used = used;
    this.#usedBefore = used();
  }

  /** Milliseconds. */
  get elapsed(): number {
    const wall = monotonicMs() - this.#started;
    if (this.#usedBefore === undefined) return wall;
    const used = this.#used() ?? Number.POSITIVE_INFINITY;
    return Math.min(wall, Math.max(used - this.#usedBefore, wall * LEAST_SHARE));
  }
}
