import { BatchRun } from './batch-run.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { Death, Run } from './run.ts';
import type { Scheduler } from './scheduler.ts';
import { SteppedRun } from './stepped-run.ts';
import type { Submission } from './submission.ts';
import { NOT_BEGUN, type TaskBoard } from './task-board.ts';
import type { Threads } from './threads.ts';

const TICK_MS = 5;
/** Time for a new thread to load its code and begin its first job. */
const STARTUP_MS = 30_000;
/** An evaluation or a small document that takes longer than this keeps nobody waiting: the rest of its batch goes elsewhere. */
const COMPANY_MS = 10;
/** An evaluation is slow when it takes this many times the average, but within these bounds, in milliseconds. */
const SLOW_FACTOR = 20;
const SLOW_MS = { least: 15, most: 5_000 };
/**
 * Time for a slow evaluation, or a job with a lent thread, to make room by itself: longer than a garbage collection or the first steps of a new thread
 * take, which are no fault of the evaluation that is delayed by them.
 */
const DEMOTION_GRACE_MS = 150;

/**
 * Looks at the task board every few milliseconds while something runs, and acts on what takes too long. It sees
 * what a thread does without its help, so a thread that hangs is seen like any other.
 */
export class Watchdog {
  readonly #scheduler: Scheduler;
  readonly #threads: Threads;
  readonly #board: TaskBoard;
  readonly #graceMs: number;
  readonly #timer: NodeJS.Timeout;
  #armed = false;

  constructor(scheduler: Scheduler, threads: Threads, board: TaskBoard, graceMs: number) {
    this.#scheduler = scheduler;
    this.#threads = threads;
    this.#board = board;
    this.#graceMs = graceMs;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  /** To be called when a run begins. */
  wake(): void {
    if (this.#armed) return;
    this.#armed = true;
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tick(): void {
    this.#armed = false;
    for (const run of [...this.#scheduler.runs()]) {
      if (run.death === null) this.#watch(run);
    }
    this.#makeRoom();
    this.#endLoan();
    this.#scheduler.tendSlow();
    if (!this.#scheduler.runs().next().done) this.wake();
  }

  #watch(run: Run): void {
    const death = this.#verdict(run);
    if (death) this.#terminate(run, death);
    else if (run instanceof SteppedRun && this.#board.stepAge(run.seat.index) > COMPANY_MS)
      this.#freeCompany(run);
  }

  #verdict(run: Run): Death | null {
    const current = this.#board.current(run.seat.index);
    const age = this.#board.stepAge(run.seat.index);
    if (current === NOT_BEGUN) return age > STARTUP_MS ? 'crash' : null;
    if (age > run.stepMs(current) + this.#graceMs) return 'time-limit';
    const cancelled = run.member(current)?.cancelled ?? 0;
    const overstay = Math.min(age, monotonicMs() - cancelled);
    return cancelled > 0 && overstay > this.#graceMs ? 'cancelled' : null;
  }

  #terminate(run: Run, death: Death): void {
    run.death = death;
    this.#threads.terminate(run.seat);
  }

  /** The cancel bits make the thread pass over what was taken from it. */
  #freeCompany(run: SteppedRun<Submission>): void {
    const slot = run.seat.index;
    const current = this.#board.current(slot);
    if (current === NOT_BEGUN) return;
    const released = run.release(current);
    if (released.length === 0) return;
    for (const submission of released) this.#board.cancel(slot, submission.step);
    this.#scheduler.putBack(released, run.queue);
  }

  /**
   * When every thread is taken by something that is not quick, and evaluations wait, the slow evaluation that
   * began last is stopped, to begin again later.
   */
  #makeRoom(): void {
    if (this.#threads.seats.length === 1 || this.#scheduler.evaluations.length === 0) return;
    const candidates: BatchRun[] = [];
    for (const { run } of this.#threads.seats) {
      if (run?.queue.lane === 'heavy') continue;
      if (!(run instanceof BatchRun) || !this.#isSlow(run)) return;
      candidates.push(run);
    }
    const last = candidates.sort((a, b) => b.started - a.started)[0];
    if (last) this.#demote(last);
  }

  /** A thread that was lent and is not given back in time is ended. */
  #endLoan(): void {
    const { lent } = this.#scheduler;
    if (!lent || lent.recalled === 0 || lent.death !== null) return;
    if (monotonicMs() - lent.recalled > DEMOTION_GRACE_MS) this.#terminate(lent, 'demoted');
  }

  #isSlow(run: BatchRun): boolean {
    const slot = run.seat.index;
    const usual = (this.#scheduler.batchSize.cost / 1000) * SLOW_FACTOR;
    const limit = Math.min(SLOW_MS.most, Math.max(SLOW_MS.least, usual));
    const current = this.#board.current(slot);
    return current !== NOT_BEGUN && this.#board.stepAge(slot) > limit * (run.member(current)?.patience ?? 1);
  }

  #demote(run: BatchRun): void {
    const now = monotonicMs();
    if (run.demoted === 0) {
      run.demoted = now;
      this.#board.cancel(run.seat.index, this.#board.current(run.seat.index));
    } else if (run.death === null && now - run.demoted > DEMOTION_GRACE_MS) {
      this.#terminate(run, 'demoted');
    }
  }
}
