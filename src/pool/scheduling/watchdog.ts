import { HeavyRun } from '../runs/heavy-job.ts';
import { MicroBatchRun } from '../runs/micro-batch-run.ts';
import type { Run, WorkerExit } from '../runs/run.ts';
import { SteppedRun } from '../runs/stepped-run.ts';
import { EvaluationSubmission, type Submission } from '../runs/submission.ts';
import { NOT_BEGUN, type TaskBoard } from '../tasks/board.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { WorkerThreads } from '../threads/threads.ts';
import type { Stopwatch, ThreadTimes } from '../threads/times.ts';
import { LONGEST_SLICE_MS } from './long-slices.ts';
import type { Scheduler } from './scheduler.ts';
import { sliceBesideFast, sliceMs } from './slices.ts';

const TICK_MS = 5;
/**
 * Time for a new thread to load its code and begin its first job, even if it hardly ever gets a
 * processor.
 */
const STARTUP_MS = 300_000;
/**
 * When an evaluation or a small document takes longer than this, the rest of its run moves to other
 * threads, so that nothing waits for it.
 */
const COMPANY_MS = 10;
/**
 * A fast evaluation counts as slow when it takes this many times the average, within these bounds,
 * in milliseconds.
 */
const SLOW_FACTOR = 20;
const SLOW_MS = { least: 15, most: 5_000 };
/** No evaluation counts as slow before this time, in milliseconds. */
const LEAST_SLOW_MS = 5;
/** The factor by which the slice of a slow evaluation grows when it was too short. */
const SLICE_GROWTH = 4;
/** The same for a job of a batch, which should end by itself. */
const BULK_SLOW_MS = 100;
/**
 * Time for a slow evaluation, or a job of a batch, to stop by itself when it is preempted. It is
 * longer than a garbage collection or the first steps of a new thread, which the delayed evaluation
 * is not responsible for.
 */
const DEMOTION_GRACE_MS = 150;

export interface WatchdogParts {
  readonly scheduler: Scheduler;
  readonly threads: WorkerThreads;
  readonly board: TaskBoard;
  readonly times: ThreadTimes;
  readonly graceMs: number;
}

/**
 * The purpose of a measurement: the step itself, or how long it continues after it should have
 * ended.
 */
type Cause = 'step' | 'overdue' | 'cancelled' | 'stopping';

interface Timing {
  readonly run: Run;
  readonly step: number;
  readonly watches: Map<Cause, Stopwatch>;
}

/**
 * Checks the task board every few milliseconds while something runs, and acts on jobs that take too
 * long. It needs no cooperation from a thread, so it also notices a thread that hangs. The time
 * limits of callers are measured by the wall clock, but a thread is not blamed for time in which
 * others had the processor.
 */
export class Watchdog {
  readonly #scheduler: Scheduler;
  readonly #threads: WorkerThreads;
  readonly #board: TaskBoard;
  readonly #times: ThreadTimes;
  readonly #graceMs: number;
  readonly #timer: NodeJS.Timeout;
  /** By worker slot. */
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

  /** Call it when a run begins, and when jobs wait for time to pass. */
  wake(): void {
    if (this.#armed) return;
    this.#armed = true;
    // Jobs that wait for time to pass keep the process alive, as running ones do.
    this.#timer.ref().refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tick(): void {
    this.#armed = false;
    this.#timer.unref();
    for (const run of [...this.#scheduler.runs()]) {
      if (run.workerExit === null) this.#watch(run);
    }
    this.#makeRoomForFast();
    this.#makeRoomForSlow();
    this.#endLoan();
    this.#scheduler.tendSlow();
    if (this.#scheduler.isBusy) this.wake();
  }

  #watch(run: Run): void {
    const workerExit = this.#verdict(run);
    if (workerExit) this.#terminate(run, workerExit);
    else if (run instanceof SteppedRun && this.#board.stepAge(run.workerSlot.index) > COMPANY_MS)
      this.#watchSlow(run);
  }

  /**
   * A client cannot be identified after it disconnects, so the client of a slow job is identified
   * early.
   */
  #watchSlow(run: SteppedRun<Submission>): void {
    run.member(this.#board.current(run.workerSlot.index))?.identify();
    this.#freeCompany(run);
  }

  #verdict(run: Run): WorkerExit | null {
    const current = this.#board.current(run.workerSlot.index);
    const age = this.#board.stepAge(run.workerSlot.index);
    if (current === NOT_BEGUN) return age > STARTUP_MS ? 'crash' : null;
    if (age > run.stepMs(current) && this.#timeSince(run, 'overdue') > this.#graceMs) return 'time-limit';
    const cancelled = (run.member(current)?.cancelled ?? 0) > 0;
    return cancelled && this.#timeSince(run, 'cancelled') > this.#graceMs ? 'cancelled' : null;
  }

  /**
   * Returns the thread time of the current step, in milliseconds, since the first call for this
   * cause.
   */
  #timeSince(run: Run, cause: Cause): number {
    const workerSlot = run.workerSlot.index;
    const step = this.#board.current(workerSlot);
    let timing = this.#timings[workerSlot];
    if (timing?.run !== run || timing.step !== step) {
      timing = { run, step, watches: new Map() };
      this.#timings[workerSlot] = timing;
    }
    let watch = timing.watches.get(cause);
    if (!watch) {
      watch = this.#times.start(workerSlot);
      timing.watches.set(cause, watch);
    }
    return watch.elapsed;
  }

  #terminate(run: Run, workerExit: WorkerExit): void {
    run.workerExit = workerExit;
    this.#threads.terminate(run.workerSlot);
  }

  /** The cancel bits make the thread skip the jobs that were taken from it. */
  #freeCompany(run: SteppedRun<Submission>): void {
    const slot = run.workerSlot.index;
    const current = this.#board.current(slot);
    if (current === NOT_BEGUN) return;
    const released = run.release(current);
    if (released.length === 0) return;
    for (const submission of released) this.#board.cancel(slot, submission.step);
    this.#scheduler.putBack(released, run.queue);
  }

  /**
   * When slow jobs occupy every thread and a fast one waits, the slow job that began last is
   * preempted, and starts again later.
   */
  #makeRoomForFast(): void {
    const { evaluations, smallDocuments } = this.#scheduler;
    if (evaluations.length + smallDocuments.length === 0) return;
    const runs: Run[] = [];
    for (const { run } of this.#threads.workerSlots) {
      if (run?.queue.lane === 'heavy') continue;
      if (run === null || !this.#hasHad(run, this.#limitBesideFast(run))) return;
      runs.push(run);
    }
    this.#stopOne(runs);
  }

  /**
   * The same when slow jobs occupy all the threads that they may have. New evaluations do not wait
   * for old ones, nor a client's jobs for those of another client.
   */
  #makeRoomForSlow(): void {
    const { lanes, slowWaits } = this.#scheduler;
    if (!slowWaits || !lanes.isFull('slow')) return;
    const runs = [...this.#scheduler.runs()].filter(
      (run) => run.queue.lane === 'slow' && run !== lanes.borrowed,
    );
    if (!runs.every((run) => this.#hasHad(run, this.#limit(run, 1)))) return;
    this.#stopOne(runs.filter((run) => isStopping(run) || this.#hasHad(run, this.#limitBesideSlow(run))));
  }

  /**
   * Continues with the run that is already being stopped. Otherwise chooses a run of the client
   * that has the most threads: the one that began last.
   */
  #stopOne(runs: Run[]): void {
    const threads = (client: string) => runs.filter((run) => clientOf(run) === client).length;
    const order = (x: Run, y: Run) => threads(clientOf(y)) - threads(clientOf(x)) || y.started - x.started;
    const run = runs.find(isStopping) ?? runs.sort(order)[0];
    if (run) this.#stop(run);
  }

  /** Terminates a borrowed thread that was preempted but not returned in time. */
  #endLoan(): void {
    const { borrowed } = this.#scheduler.lanes;
    if (borrowed && isStopping(borrowed)) this.#stop(borrowed);
  }

  /** Preempts the run; terminates its thread if it has not stopped after the grace period. */
  #stop(run: Run): void {
    if (!isStopping(run)) this.#askToStop(run);
    if (run.workerExit !== null || this.#timeSince(run, 'stopping') <= DEMOTION_GRACE_MS) return;
    this.#terminate(run, 'demoted');
  }

  #askToStop(run: Run): void {
    this.#times.hurry(run.workerSlot.index);
    if (run instanceof HeavyRun) this.#scheduler.preempt(run);
    if (!(run instanceof MicroBatchRun)) return;
    this.#freeCompany(run);
    this.#growSlice(run);
    run.demoted = monotonicMs();
    this.#board.cancel(run.workerSlot.index, this.#board.current(run.workerSlot.index));
  }

  /** Lengthens the slice only if all of it was used: a run may be stopped earlier. */
  #growSlice(run: MicroBatchRun): void {
    const member = run.member(this.#board.current(run.workerSlot.index));
    if (member && this.#hasHad(run, this.#limit(run, member.sliceFactor))) member.sliceFactor *= SLICE_GROWTH;
  }

  /** Whether the run has been at its current step for longer than this. */
  #hasHad(run: Run, milliseconds: number): boolean {
    const workerSlot = run.workerSlot.index;
    if (this.#board.current(workerSlot) === NOT_BEGUN || this.#board.stepAge(workerSlot) < LEAST_SLOW_MS)
      return false;
    return this.#timeSince(run, 'step') > milliseconds;
  }

  /**
   * Returns the time limit of a step, in milliseconds, while a fast job waits for a thread;
   * infinite for a run that is never preempted.
   */
  #limitBesideFast(run: Run): number {
    if (run.queue.brief || !(run instanceof MicroBatchRun)) return this.#limit(run, 1);
    if (run.queue.lane === 'slow') return sliceBesideFast(this.#sliceFactor(run));
    const usual = (this.#scheduler.microBatchSize.cost / 1000) * SLOW_FACTOR;
    return Math.min(SLOW_MS.most, Math.max(SLOW_MS.least, usual));
  }

  /**
   * The same for a slow job while other slow jobs wait. If they are of the same client, its
   * slice factor counts. If they are of other clients, it counts only as far as theirs. Otherwise
   * the client whose programs were stopped most often would get the longest slices.
   */
  #limitBesideSlow(run: Run): number {
    const { unproven, batch, longSlices } = this.#scheduler;
    const client = clientOf(run);
    const own = this.#sliceFactor(run);
    const others = this.#scheduler.sliceFactorBeside(client);
    if (others < own && longSlices.take(run, monotonicMs()))
      return Math.min(LONGEST_SLICE_MS, this.#limit(run, own));
    if (others < Number.POSITIVE_INFINITY) return this.#limit(run, Math.min(own, others));
    const isWanted = unproven.first !== null || batch.waitsBeside(client);
    return isWanted ? this.#limit(run, own) : Number.POSITIVE_INFINITY;
  }

  #limit(run: Run, sliceFactor: number): number {
    if (run.queue.brief) return BULK_SLOW_MS;
    if (!(run instanceof MicroBatchRun)) return Number.POSITIVE_INFINITY;
    return sliceMs(sliceFactor, this.#scheduler.lanes.isExhausted);
  }

  #sliceFactor(run: Run): number {
    const member = run.member(this.#board.current(run.workerSlot.index));
    return member instanceof EvaluationSubmission ? member.sliceFactor : 1;
  }
}

function isStopping(run: Run): boolean {
  return run instanceof MicroBatchRun ? run.demoted > 0 : run instanceof HeavyRun && run.preempted > 0;
}

function clientOf(run: Run): string {
  const [member] = run.members();
  return member?.client ?? '';
}
