import { callForward, ProcessorClock, type ProcessorUse } from '../system-thread.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { ThreadBoard } from './thread-board.ts';

/**
 * A thread that had less than one part in so many of the time is judged as though it had had that much, so that nothing is
 * waited for without end.
 */
const LEAST_SHARE = 1 / 20;

/** Measures the time that threads really had, and sees to it that they get some. */
export class ThreadTimes {
  readonly #board: ThreadBoard;
  readonly #clocks: (ProcessorClock | undefined)[] = [];

  constructor(board: ThreadBoard) {
    this.#board = board;
  }

  /** What the thread of the seat has had; undefined where the system does not tell. */
  read(seat: number): ProcessorUse | undefined {
    return this.#clockOf(seat)?.read();
  }

  /** Begins to measure the thread of the seat. */
  start(seat: number): Stopwatch {
    return new Stopwatch(() => this.read(seat)?.used);
  }

  /** Gives the thread of the seat its usual priority: somebody waits for it. */
  hurry(seat: number): void {
    callForward(this.#board.id(seat));
  }

  close(): void {
    for (const clock of this.#clocks.splice(0)) clock?.close();
  }

  #clockOf(seat: number): ProcessorClock | undefined {
    const id = this.#board.id(seat);
    const clock = this.#clocks[seat];
    if (clock?.threadId === id) return clock;
    clock?.close();
    this.#clocks[seat] = ProcessorClock.open(id);
    return this.#clocks[seat];
  }
}

/** The time that a thread had: on a processor where that is known, else by the wall clock. */
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
