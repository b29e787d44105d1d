import { BatchRun } from './batch-run.ts';
import { HeavyRun } from './heavy-job.ts';
import { LONGEST_SLICE_MS } from './long-slices.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { Death, Run } from './run.ts';
import type { Scheduler } from './scheduler.ts';
import { sliceBesideQuick, sliceMs } from './slices.ts';
import { SteppedRun } from './stepped-run.ts';
import { EvaluationSubmission, type Submission } from './submission.ts';
import { NOT_BEGUN, type TaskBoard } from './task-board.ts';
import type { Stopwatch, ThreadTimes } from './thread-times.ts';
import type { Threads } from './threads.ts';

const TICK_MS = 5;
/** Time for a new thread to load its code and begin its first job, also where it hardly ever gets a processor. */
const STARTUP_MS = 300_000;
/** An evaluation or a small document that takes longer than this keeps nobody waiting: the rest of its batch goes elsewhere. */
const COMPANY_MS = 10;
/** A quick evaluation is slow when it takes this many times the average, but within these bounds, in milliseconds. */
const SLOW_FACTOR = 20;
const SLOW_MS = { least: 15, most: 5_000 };
/** No evaluation is slow before, in milliseconds. */
const LEAST_SLOW_MS = 5;
/** How much longer a slow evaluation may run when it begins again after its time was not enough. */
const PATIENCE = 4;
/** The same for a job of many evaluations, which should end by itself. */
const BULK_SLOW_MS = 100;
/**
 * Time for a slow evaluation, or a job of many, to make room by itself: longer than a garbage collection or the first steps of a new
 * thread take, which are no fault of the evaluation that is delayed by them.
 */
const DEMOTION_GRACE_MS = 150;

export interface WatchdogParts {
  readonly scheduler: Scheduler;
  readonly threads: Threads;
  readonly board: TaskBoard;
  readonly times: ThreadTimes;
  readonly graceMs: number;
}

/** What a thread's time is measured for: the step itself, or that it goes on though it should have ended. */
type Cause = 'step' | 'overdue' | 'cancelled' | 'stopping';

interface Timing {
  readonly run: Run;
  readonly step: number;
  readonly watches: Map<Cause, Stopwatch>;
}

/**
 * Looks at the task board every few milliseconds while something runs, and acts on what takes too long. It sees
 * what a thread does without its help, so a thread that hangs is seen like any other. The time that callers
 * have is that of the clock on the wall; but no thread is blamed for the time in which others had the processor.
 */
export class Watchdog {
  readonly #scheduler: Scheduler;
  readonly #threads: Threads;
  readonly #board: TaskBoard;
  readonly #times: ThreadTimes;
  readonly #graceMs: number;
  readonly #timer: NodeJS.Timeout;
  /** By seats. */
  readonly #timings: (Timing | undefined)[] = [];
  #armed = false;

  constructor({ scheduler, threads, board, times, graceMs }: WatchdogParts) {
    this.#scheduler = scheduler;
    this.#threads = threads;
    this.#board = board;
    this.#times = times;
    this.#graceMs = graceMs;
    this.#timer = setTimeout(() => this.#tick(), TICK_MS).unref();
  }

  /** To be called when a run begins, and when jobs wait for time to pass. */
  wake(): void {
    if (this.#armed) return;
    this.#armed = true;
    // What waits for time to pass keeps the process alive as what runs does.
    this.#timer.ref().refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tick(): void {
    this.#armed = false;
    this.#timer.unref();
    for (const run of [...this.#scheduler.runs()]) {
      if (run.death === null) this.#watch(run);
    }
    this.#makeRoomForQuick();
    this.#makeRoomForSlow();
    this.#endLoan();
    this.#scheduler.tendSlow();
    if (this.#scheduler.isBusy) this.wake();
  }

  #watch(run: Run): void {
    const death = this.#verdict(run);
    if (death) this.#terminate(run, death);
    else if (run instanceof SteppedRun && this.#board.stepAge(run.seat.index) > COMPANY_MS)
      this.#watchSlow(run);
  }

  /** A client who disconnects is not known any more, so who has a slow job is found out at once. */
  #watchSlow(run: SteppedRun<Submission>): void {
    run.member(this.#board.current(run.seat.index))?.identify();
    this.#freeCompany(run);
  }

  #verdict(run: Run): Death | null {
    const current = this.#board.current(run.seat.index);
    const age = this.#board.stepAge(run.seat.index);
    if (current === NOT_BEGUN) return age > STARTUP_MS ? 'crash' : null;
    if (age > run.stepMs(current) && this.#timeSince(run, 'overdue') > this.#graceMs) return 'time-limit';
    const cancelled = (run.member(current)?.cancelled ?? 0) > 0;
    return cancelled && this.#timeSince(run, 'cancelled') > this.#graceMs ? 'cancelled' : null;
  }

  /** Milliseconds that the thread had for its current step since it was first asked for the cause. */
  #timeSince(run: Run, cause: Cause): number {
    const seat = run.seat.index;
    const step = this.#board.current(seat);
    let timing = this.#timings[seat];
    if (timing?.run !== run || timing.step !== step) {
      timing = { run, step, watches: new Map() };
      this.#timings[seat] = timing;
    }
    let watch = timing.watches.get(cause);
    if (!watch) {
      watch = this.#times.start(seat);
      timing.watches.set(cause, watch);
    }
    return watch.elapsed;
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
   * When every thread is taken by something that is slow, and what is quick waits, the slow job that
   * began last is stopped, to begin again later.
   */
  #makeRoomForQuick(): void {
    const { evaluations, smallDocuments } = this.#scheduler;
    if (evaluations.length + smallDocuments.length === 0) return;
    const runs: Run[] = [];
    for (const { run } of this.#threads.seats) {
      if (run?.queue.lane === 'heavy') continue;
      if (run === null || !this.#hasHad(run, this.#limitBesideQuick(run))) return;
      runs.push(run);
    }
    this.#stopOne(runs);
  }

  /**
   * The same when slow jobs have all the threads that they may have. New evaluations do not wait behind old ones, nor one
   * client's jobs behind those of another.
   */
  #makeRoomForSlow(): void {
    const { lanes, slowWaits } = this.#scheduler;
    if (!slowWaits || !lanes.isFull('slow')) return;
    const runs = [...this.#scheduler.runs()].filter((run) => run.queue.lane === 'slow' && run !== lanes.lent);
    if (!runs.every((run) => this.#hasHad(run, this.#limit(run, 1)))) return;
    this.#stopOne(runs.filter((run) => isStopping(run) || this.#hasHad(run, this.#limitBesideSlow(run))));
  }

  /** Goes on with the one that it began to stop; else takes one of the client who has most threads, the last that began. */
  #stopOne(runs: Run[]): void {
    const threads = (client: string) => runs.filter((run) => clientOf(run) === client).length;
    const order = (x: Run, y: Run) => threads(clientOf(y)) - threads(clientOf(x)) || y.started - x.started;
    const run = runs.find(isStopping) ?? runs.sort(order)[0];
    if (run) this.#stop(run);
  }

  /** A thread that was lent and is not given back in time is ended. */
  #endLoan(): void {
    const { lent } = this.#scheduler.lanes;
    if (lent && isStopping(lent)) this.#stop(lent);
  }

  /** Asks the run to make room; ends its thread when that had the grace and did not. */
  #stop(run: Run): void {
    if (!isStopping(run)) this.#askToStop(run);
    if (run.death !== null || this.#timeSince(run, 'stopping') <= DEMOTION_GRACE_MS) return;
    this.#terminate(run, 'demoted');
  }

  #askToStop(run: Run): void {
    this.#times.hurry(run.seat.index);
    if (run instanceof HeavyRun) this.#scheduler.recall(run);
    if (!(run instanceof BatchRun)) return;
    this.#freeCompany(run);
    this.#growPatience(run);
    run.demoted = monotonicMs();
    this.#board.cancel(run.seat.index, this.#board.current(run.seat.index));
  }

  /** All of its time was not enough, unless it is stopped before that is over. */
  #growPatience(run: BatchRun): void {
    const member = run.member(this.#board.current(run.seat.index));
    if (member && this.#hasHad(run, this.#limit(run, member.patience))) member.patience *= PATIENCE;
  }

  /** Whether the run has been at its current step for so long. */
  #hasHad(run: Run, milliseconds: number): boolean {
    const seat = run.seat.index;
    if (this.#board.current(seat) === NOT_BEGUN || this.#board.stepAge(seat) < LEAST_SLOW_MS) return false;
    return this.#timeSince(run, 'step') > milliseconds;
  }

  /**
   * Milliseconds for a step while what is quick waits for a thread; infinite for what is never
   * stopped.
   */
  #limitBesideQuick(run: Run): number {
    if (run.queue.brief || !(run instanceof BatchRun)) return this.#limit(run, 1);
    if (run.queue.lane === 'slow') return sliceBesideQuick(this.#patience(run));
    const usual = (this.#scheduler.batchSize.cost / 1000) * SLOW_FACTOR;
    return Math.min(SLOW_MS.most, Math.max(SLOW_MS.least, usual));
  }

  /**
   * The same for a slow job while other slow ones wait. For those of its own client it has all its
   * patience; for those of others no more than they have, or the longest slices would be those of
   * the client whose programs were stopped most often.
   */
  #limitBesideSlow(run: Run): number {
    const { unproven, bulk, longSlices } = this.#scheduler;
    const client = clientOf(run);
    const own = this.#patience(run);
    const others = this.#scheduler.patienceBeside(client);
    if (others < own && longSlices.take(run, monotonicMs()))
      return Math.min(LONGEST_SLICE_MS, this.#limit(run, own));
    if (others < Number.POSITIVE_INFINITY) return this.#limit(run, Math.min(own, others));
    const isWanted = unproven.first !== null || bulk.waitsBeside(client);
    return isWanted ? this.#limit(run, own) : Number.POSITIVE_INFINITY;
  }

  #limit(run: Run, patience: number): number {
    if (run.queue.brief) return BULK_SLOW_MS;
    if (!(run instanceof BatchRun)) return Number.POSITIVE_INFINITY;
    return sliceMs(patience, this.#scheduler.lanes.isExhausted);
  }

  #patience(run: Run): number {
    const member = run.member(this.#board.current(run.seat.index));
    return member instanceof EvaluationSubmission ? member.patience : 1;
  }
}

function isStopping(run: Run): boolean {
  return run instanceof BatchRun ? run.demoted > 0 : run instanceof HeavyRun && run.recalled > 0;
}

function clientOf(run: Run): string {
  const [member] = run.members();
  return member?.client ?? '';
}
