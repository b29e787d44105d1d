import type { Transferable } from 'node:worker_threads';
import { type Caller, clientKey } from '../../base/caller.ts';
import { ownAccess, visiblePatterns } from '../../base/graph-access.ts';
import { type ErrorData, toErrorData } from '../../errors.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { Selection } from '../evaluation-request.ts';
import type { Job } from '../messages.ts';
import { DocumentRun } from '../runs/document-run.ts';
import { packEvaluations } from '../runs/evaluation-pack.ts';
import { HeavyRun, type HeavySubmission } from '../runs/heavy-job.ts';
import { MicroBatchRun } from '../runs/micro-batch-run.ts';
import { MicroBatchSize } from '../runs/micro-batch-size.ts';
import type { WorkerSlot } from '../runs/run.ts';
import { type Run, type WorkerExit, workerExitError } from '../runs/run.ts';
import { EvaluationSubmission, type Submission } from '../runs/submission.ts';
import type { PoolSettings, QueueName } from '../settings.ts';
import { BegunTasks } from '../tasks/begun-tasks.ts';
import { MAX_BATCH, type TaskBoard } from '../tasks/board.ts';
import { activities } from '../tasks/listing.ts';
import { type ThreadKill, threadKill } from '../threads/kill.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { WorkerThreads } from '../threads/threads.ts';
import type { ThreadTimes } from '../threads/times.ts';
import { Admission } from './admission.ts';
import { FairShare } from './fair-share.ts';
import { FastPrograms } from './fast-programs.ts';
import { JobQueue, type JobQueueOptions } from './job-queue.ts';
import { Lanes } from './lanes.ts';
import { LongSlices } from './long-slices.ts';
import { programKey } from './quarantine.ts';

export type HeavyQueueName = Exclude<QueueName, 'ldpath'>;

/** The components that a scheduler uses. */
export interface SchedulerParts {
  readonly threads: WorkerThreads;
  readonly board: TaskBoard;
  readonly times: ThreadTimes;
  readonly settings: PoolSettings;
  readonly snapshot: () => SnapshotDescriptor;
  /** Called when a run begins, and when jobs wait for time to pass. */
  readonly onWork: () => void;
  /** Called after an internal error at the end of a run. */
  readonly onInternalError: (error: Error) => void;
  /** Called when a thread exited during a run. */
  readonly onKill: (kill: ThreadKill) => void;
}

interface Start {
  readonly run: Run;
  readonly job: Job;
  readonly transfer: readonly Transferable[];
}

/** The share of thread time for slow evaluations, relative to that of fast ones. */
const SLOW_SHARE = 1 / 8;
/** The same for evaluations of programs that have not proved fast, and for jobs of batches. */
const UNPROVEN_SHARE = 1 / 4;
const BATCH_SHARE = 1 / 4;
/** An evaluation that takes no longer than this proves its program fast, in milliseconds. */
const FAST_MS = 15;
/**
 * The most that evaluations of programs that have not proved fast may cost together in one
 * micro-batch, in milliseconds.
 */
const BATCH_MS = 1.5;
/**
 * The most small documents in one run: one that is written may take a hundred times as long as the
 * usual one.
 */
const BATCH_DOCUMENTS = 16;
/** The most bytes in one run of several small documents. */
const BATCH_BYTES = 64 * 1024;
/**
 * The most that slow evaluations have to make up for after they used more than their share, in
 * milliseconds of thread time.
 */
const MOST_DEBT_MS = 1_000;
/** Interval between checks for slow evaluations whose time is over, in milliseconds. */
const EXPIRY_MS = 100;

const nothing: readonly Transferable[] = [];

/**
 * Decides what runs next. A job is dispatched only when a thread is idle. Then fair sharing chooses
 * among the queues whose lane has a thread left.
 */
export class Scheduler {
  /** Evaluations of programs that have proved fast. */
  readonly evaluations: JobQueue<EvaluationSubmission>;
  /** Evaluations of all other programs. */
  readonly unproven: JobQueue<EvaluationSubmission>;
  /** Evaluations that turned out to be slow while others waited. */
  readonly slow: JobQueue<EvaluationSubmission>;
  /**
   * Jobs of batches. They occupy a thread for a few milliseconds, and at most all threads but one,
   * unless a job borrows that one.
   */
  readonly batch: JobQueue<HeavySubmission>;
  /** Documents that can be read as fast as an evaluation runs. */
  readonly smallDocuments: JobQueue<HeavySubmission>;
  readonly heavy: Readonly<Record<HeavyQueueName, JobQueue<HeavySubmission>>>;
  readonly queues: readonly JobQueue[];
  readonly microBatchSize = new MicroBatchSize();
  readonly lanes: Lanes;
  readonly longSlices = new LongSlices<Run>();
  readonly begun = new BegunTasks();
  readonly #documentMicroBatchSize = new MicroBatchSize();
  readonly #admission = new Admission();
  readonly #fastPrograms: FastPrograms;
  readonly #share: FairShare<JobQueue>;
  /**
   * Queues that share one depth: jobs that are not known to be fast take no places from fast ones.
   */
  readonly #unprovenAndSlow: readonly JobQueue[];
  readonly #threads: WorkerThreads;
  readonly #board: TaskBoard;
  readonly #times: ThreadTimes;
  readonly #settings: PoolSettings;
  readonly #snapshot: () => SnapshotDescriptor;
  #pumping = false;
  /** When slow evaluations were last checked for expiry, in `monotonicMs`. */
  #lastExpiry = 0;
  readonly #onWork: SchedulerParts['onWork'];
  readonly #onInternalError: SchedulerParts['onInternalError'];
  readonly #onKill: SchedulerParts['onKill'];
  #onDrained: (() => void) | null = null;

  constructor(parts: SchedulerParts) {
    const { threads, board, times, settings, snapshot } = parts;
    this.#onWork = parts.onWork;
    this.#onInternalError = parts.onInternalError;
    this.#onKill = parts.onKill;
    this.#threads = threads;
    this.#board = board;
    this.#times = times;
    this.#settings = settings;
    this.#snapshot = snapshot;
    this.lanes = new Lanes(threads.workerSlots);
    this.#fastPrograms = new FastPrograms(settings.penaltyMs);
    const { offenders } = this.#fastPrograms;
    const mustWait = (client: string) => offenders.mustWait(client);
    const queue = <S extends Submission>(
      name: QueueName,
      lane: JobQueue['lane'],
      share = 1,
      options: Partial<JobQueueOptions> = {},
    ) => {
      const { weights, depths } = settings;
      return new JobQueue<S>({ name, lane, weight: weights[name] * share, depth: depths[name], ...options });
    };
    this.evaluations = queue('ldpath', 'fast', 1, { sharesLine: true });
    this.unproven = queue('ldpath', 'slow', UNPROVEN_SHARE, { mustWait });
    this.slow = queue('ldpath', 'slow', SLOW_SHARE, { mustWait });
    this.batch = queue('ldpath', 'slow', BATCH_SHARE, { mustWait, brief: true });
    this.smallDocuments = queue('parse', 'fast');
    this.heavy = {
      parse: queue('parse', 'heavy'),
      serialize: queue('serialize', 'heavy'),
      maintenance: queue('maintenance', 'heavy'),
    };
    this.#unprovenAndSlow = [this.unproven, this.slow];
    const others = [this.batch, this.smallDocuments, ...Object.values(this.heavy)];
    this.queues = [this.evaluations, ...this.#unprovenAndSlow, ...others];
    this.#share = new FairShare(this.queues);
  }

  /** The error with which all submissions are rejected; null while they are accepted. */
  get closed(): ErrorData | null {
    return this.#admission.closed;
  }

  /** Returns why an evaluation of that program would be rejected now; null if it would not. */
  rejection(selection: Selection, caller: Caller | undefined): ErrorData | null {
    const applicant = { client: clientKey(caller) };
    const queue = this.#queueFor(selection, applicant);
    const key = programKey(selection.source, visiblePatterns(caller ?? ownAccess));
    return this.closed ?? this.#admission.rejection(key) ?? this.#overload(queue, applicant);
  }

  /** The number of programs that are rejected now because they terminated threads. */
  get quarantined(): number {
    return this.#admission.quarantined;
  }

  *runs(): Generator<Run> {
    for (const workerSlot of this.#threads.workerSlots) if (workerSlot.run) yield workerSlot.run;
  }

  /**
   * Whether jobs wait because of a heavy job: other heavy ones, or all jobs if there is only one
   * thread.
   */
  get heavyWaits(): boolean {
    const alone = this.#threads.workerSlots.length === 1;
    return this.queues.some((queue) => queue.length > 0 && (alone || queue.lane === 'heavy'));
  }

  /** Whether something runs, or waits for time to pass. */
  get isBusy(): boolean {
    return !this.runs().next().done || this.slowWaits;
  }

  evaluate(submission: EvaluationSubmission): void {
    this.submit(submission, this.#queueFor(submission.evaluation, submission));
  }

  #queueFor(selection: Selection, applicant: Pick<Submission, 'client'>): JobQueue<EvaluationSubmission> {
    return this.#fastPrograms.mayHaveAllThreads(selection, applicant) ? this.evaluations : this.unproven;
  }

  submit<S extends Submission>(submission: S, queue: JobQueue<S>): void {
    const rejection =
      this.closed ??
      this.#admission.rejection(submission.programKey) ??
      (submission.isPart ? null : this.#overload(queue, submission));
    if (rejection) {
      submission.fail(rejection);
      return;
    }
    if (queue.length === 0) this.#share.wake(queue);
    queue.push(submission);
    if (!submission.isPart) {
      this.begun.add(submission.group);
      if (queue.lane === 'fast') this.lanes.noteFast(submission.submitted);
    }
    this.#pumpSoon();
  }

  /**
   * Removes a waiting job from its queue, or asks a running one to stop. Either way its caller gets
   * the error `cancelled` at once.
   */
  cancel(submission: Submission): void {
    if (submission.settled) return;
    if (submission.run) {
      submission.cancelled = monotonicMs();
      this.#board.cancel(submission.run.workerSlot.index, submission.step);
    } else {
      submission.queue?.remove(submission);
    }
    submission.fail({ code: 'cancelled', message: 'The job was cancelled.', details: {} });
  }

  /**
   * Dispatches at the end of this event loop turn, so that jobs that arrive together are sent
   * together.
   */
  #pumpSoon(): void {
    if (this.#pumping) return;
    if (!this.#threads.idle()) {
      this.#preempt();
      return;
    }
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.pump();
    });
  }

  /** Dispatches jobs to idle threads as long as there are both. */
  pump(): void {
    for (let workerSlot = this.#threads.idle(); workerSlot; workerSlot = this.#threads.idle()) {
      const queue = this.#share.next(this.lanes.mayRun);
      if (queue) this.#start(this.#begin(queue, workerSlot));
      else if (this.#mayBorrow()) this.#borrow(workerSlot);
      else break;
    }
    this.#preempt();
    if (this.slowWaits) this.#onWork();
  }

  /** Whether there are jobs that may have to wait although a thread is idle. */
  get slowWaits(): boolean {
    return this.slow.length + this.unproven.length + this.batch.length > 0;
  }

  /** Nothing else can run now, but fast jobs may arrive at any time. */
  #mayBorrow(): boolean {
    const { first } = this.batch;
    if (!first?.work.borrowed || !this.lanes.mayBorrow) return false;
    return !this.#fastPrograms.offenders.isDistrusted(first.client);
  }

  #borrow(workerSlot: WorkerSlot): void {
    const start = this.#begin(this.batch, workerSlot);
    this.lanes.borrowed = start.run as HeavyRun;
    this.#start(start);
  }

  /** Preempts the job that has borrowed a thread if another job waits. */
  #preempt(): void {
    const { borrowed } = this.lanes;
    if (borrowed && this.evaluations.length + this.smallDocuments.length > 0) this.preempt(borrowed);
  }

  /** Asks a job of a batch to end with the results that it has. */
  preempt(run: HeavyRun): void {
    if (run.preempted > 0) return;
    run.preempted = monotonicMs();
    this.#board.preempt(run.workerSlot.index);
  }

  /** Puts jobs back into a queue, in their order, ahead of all that wait in it. */
  putBack(submissions: readonly Submission[], queue: JobQueue): void {
    if (queue.length === 0) this.#share.wake(queue);
    queue.putBack(submissions);
    this.pump();
  }

  /**
   * Requeues preempted evaluations among the slow ones, where they start again from the beginning.
   */
  #postpone(submissions: readonly EvaluationSubmission[]): void {
    if (this.slow.length === 0) this.#share.wake(this.slow);
    for (const submission of submissions) {
      this.#fastPrograms.disproved(submission.evaluation);
      submission.madeRoom ||= monotonicMs();
      this.slow.push(submission);
    }
    this.pump();
  }

  /**
   * Adds the waiting evaluations of the same program for the same client, so that they do not
   * terminate a thread each.
   */
  #withAlike(submissions: readonly EvaluationSubmission[]): EvaluationSubmission[] {
    const isAlike = (x: EvaluationSubmission) =>
      submissions.some(({ programKey, client }) => programKey === x.programKey && client === x.client);
    const alike = [...this.unproven].filter(isAlike);
    for (const submission of alike) {
      this.unproven.remove(submission);
      submission.sliceFactor = submissions[0]!.sliceFactor;
    }
    return [...submissions, ...alike];
  }

  /**
   * Returns the least slice factor among the evaluations of other clients that wait for a thread
   * for slow jobs; infinite if there are none.
   */
  sliceFactorBeside(client: string): number {
    let least = Number.POSITIVE_INFINITY;
    for (const queue of [this.unproven, this.slow])
      for (const { sliceFactor } of queue.firstsBeside(client)) least = Math.min(least, sliceFactor);
    return least;
  }

  /** Call it regularly: slow evaluations wait for time to pass. */
  tendSlow(): void {
    if (!this.slowWaits) return;
    this.#expireSlow();
    this.pump();
  }

  /**
   * Fails the evaluations whose time is over. The time counts from their first preemption, since
   * other jobs delay them only after that.
   */
  #expireSlow(): void {
    const now = monotonicMs();
    if (now - this.#lastExpiry < EXPIRY_MS) return;
    this.#lastExpiry = now;
    for (const submission of [...this.slow]) {
      if (submission.madeRoom >= now - this.#settings.evaluationMs) continue;
      this.slow.remove(submission);
      submission.fail(workerExitError('time-limit'));
    }
  }

  /** Rejects submissions with `error` from now on; waiting jobs stay in their queues. */
  reject(error: ErrorData): void {
    this.#admission.closed = error;
  }

  /** Settles all waiting and running jobs with `error`. */
  failAll(error: ErrorData): void {
    for (const queue of this.queues) {
      for (const submission of [...queue]) {
        queue.remove(submission);
        submission.fail(error);
      }
    }
    for (const run of this.runs()) for (const member of run.members()) member.fail(error);
  }

  /** Resolves when nothing waits or runs. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      this.#checkDrained();
    });
  }

  #checkDrained(): void {
    if (this.runs().next().done && this.queues.every((queue) => queue.length === 0)) this.#onDrained?.();
  }

  /** Returns the submissions whose programs have not been rejected meanwhile. */
  #admit(submissions: readonly Submission[]): Submission[] {
    return submissions.filter((submission) => {
      const rejection = this.#admission.rejection(submission.programKey);
      if (rejection) submission.fail(rejection);
      return rejection === null;
    });
  }

  #overload(queue: JobQueue, applicant: Pick<Submission, 'client'>): ErrorData | null {
    const together = queue === this.unproven ? this.#unprovenAndSlow : [queue];
    return this.#admission.overload(together, applicant, this.lanes.threads(queue));
  }

  #begin(queue: JobQueue, workerSlot: WorkerSlot): Start {
    const { evaluations, unproven, slow } = this;
    if (queue === evaluations)
      return this.#beginMicroBatch(this.#gatherEvaluations(), evaluations, workerSlot);
    if (queue === unproven) return this.#beginMicroBatch(this.#gatherUnproven(), unproven, workerSlot);
    if (queue === slow) return this.#beginMicroBatch([slow.shift()!], slow, workerSlot);
    if (queue === this.smallDocuments) return this.#beginDocuments(workerSlot);
    const submission = queue.shift() as HeavySubmission;
    const run = new HeavyRun(submission, queue, workerSlot);
    return { run, job: submission.work.job(workerSlot.index), transfer: submission.work.transfer };
  }

  #beginMicroBatch(
    members: EvaluationSubmission[],
    queue: JobQueue<EvaluationSubmission>,
    workerSlot: WorkerSlot,
  ): Start {
    const time = queue === this.evaluations ? null : this.#times.start(workerSlot.index);
    const newest = this.#snapshot();
    const run = new MicroBatchRun(members, queue, workerSlot, {
      stepMs: this.#settings.evaluationMs,
      time,
      sequence: newest.sequence,
    });
    const evaluations = packEvaluations(members.map((member) => member.evaluation));
    const snapshot = this.unreadSnapshot(workerSlot.index, newest);
    const job: Job = { kind: 'evaluate', snapshot, evaluations, slot: workerSlot.index };
    return { run, job, transfer: nothing };
  }

  /**
   * Returns the newest snapshot for an evaluation on a thread; null if the thread already has it.
   */
  unreadSnapshot(slot: number, newest = this.#snapshot()): SnapshotDescriptor | null {
    return newest === this.#threads.workerSlots[slot]!.snapshot ? null : newest;
  }

  #beginDocuments(workerSlot: WorkerSlot): Start {
    const run = new DocumentRun(this.#gatherDocuments(), this.smallDocuments, workerSlot);
    return { run, job: run.job(), transfer: nothing };
  }

  /** Returns the evaluations of the next micro-batch. */
  #gatherEvaluations(): EvaluationSubmission[] {
    const size = this.microBatchSize.next(this.evaluations.length, this.#threads.idleCount());
    return gather(this.evaluations, size, () => true);
  }

  /**
   * Takes as many as are cheap together, judged by the cost of their clients' earlier jobs, so that
   * fast evaluations do not share a micro-batch with slow ones.
   */
  #gatherUnproven(): EvaluationSubmission[] {
    let milliseconds = 0;
    return gather(this.unproven, MAX_BATCH, ({ line }) => {
      milliseconds += line!.jobMs;
      return milliseconds <= BATCH_MS;
    });
  }

  #gatherDocuments(): HeavySubmission[] {
    const size = this.#documentMicroBatchSize.next(this.smallDocuments.length, this.#threads.idleCount());
    let bytes = 0;
    return gather(this.smallDocuments, Math.min(size, BATCH_DOCUMENTS), ({ work }) => {
      bytes += work.bytes ?? 0;
      return bytes <= BATCH_BYTES;
    });
  }

  #start({ run, job, transfer }: Start): void {
    const { workerSlot, queue } = run;
    workerSlot.run = run;
    workerSlot.snapshot =
      job.kind === 'evaluate' || job.kind === 'batch' ? (job.snapshot ?? workerSlot.snapshot) : null;
    this.#board.reset(workerSlot.index);
    for (const member of run.members()) queue.recordWait(run.started - member.submitted);
    run.charged = Math.min(queue.runMs, MOST_DEBT_MS);
    queue.charge(run.charged);
    this.#threads
      .run(workerSlot, job, transfer)
      .then(
        (output) => this.#end(run, output),
        (error: unknown) => this.#onWorkerExit(run, error),
      )
      .catch((error: Error) => this.#fail(run, error));
    this.#onWork();
  }

  /** Gives the idle thread its next job before it passes the results to their callers. */
  #end(run: Run, output: unknown): void {
    const busyMicros = this.#board.busyMicros(run.workerSlot.index);
    if (run instanceof MicroBatchRun) this.#learn(run, output, busyMicros);
    if (run instanceof DocumentRun) this.#documentMicroBatchSize.record(busyMicros, run.size);
    this.#leave(run);
    this.pump();
    const again = run.complete(output);
    if (again.length > 0) this.#postpone(again);
    if (this.#onDrained) this.#checkDrained();
  }

  /** Learns about programs from the results of their evaluations. */
  #learn(run: MicroBatchRun, output: unknown, busyMicros: number): void {
    if (run.time === null) {
      if (run.isTypical(output)) this.microBatchSize.record(busyMicros, run.size);
    } else if (busyMicros <= 1000 * FAST_MS || run.time.elapsed <= FAST_MS) {
      for (const { evaluation } of run.completed(output)) this.#fastPrograms.proved(evaluation);
    }
    for (const { evaluation } of run.exhausted(output)) this.#fastPrograms.disproved(evaluation);
  }

  #onWorkerExit(run: Run, error: unknown): void {
    const ownExit = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'heap' : 'crash';
    const workerExit = run.workerExit ?? ownExit;
    const current = this.#board.current(run.workerSlot.index);
    if (!this.closed) this.#onKill(threadKill(run, workerExit, current));
    this.#recordCrash(run, workerExit, current);
    this.#leave(run);
    const again = this.#admit(run.abandon(workerExit, current));
    if (workerExit === 'demoted') this.#postpone(this.#withAlike(again as EvaluationSubmission[]));
    else this.putBack(again, run.queue);
    if (this.#onDrained) this.#checkDrained();
  }

  /**
   * After an internal error at the end of a run the process goes on, and the callers get an error.
   */
  #fail(run: Run, error: Error): void {
    if (run.workerSlot.run === run) this.#leave(run);
    const data = toErrorData(error);
    for (const member of run.members()) member.fail(data);
    this.#onInternalError(error);
    this.pump();
    if (this.#onDrained) this.#checkDrained();
  }

  /**
   * Makes the client whose program terminated the thread wait. A program that was only preempted
   * is not quarantined.
   */
  #recordCrash(run: Run, workerExit: WorkerExit, current: number): void {
    const crasher = run.culpritOf(workerExit, current);
    const culprit = crasher ?? (workerExit === 'demoted' ? run.member(current) : null);
    if (!culprit || run.queue.name !== 'ldpath') return;
    const trusted = run.queue === this.evaluations || run === this.lanes.borrowed;
    this.#fastPrograms.offenders.record(culprit.client, trusted);
    if (culprit instanceof EvaluationSubmission) this.#fastPrograms.disproved(culprit.evaluation);
    if (crasher?.programKey) this.#rejectAll(crasher.programKey);
  }

  /** Also fails the waiting evaluations of a program that is rejected from now on. */
  #rejectAll(key: string): void {
    const rejection = this.#admission.recordCrash(key);
    if (!rejection) return;
    for (const queue of this.queues) {
      for (const submission of [...queue]) {
        if (submission.programKey !== key) continue;
        queue.remove(submission);
        submission.fail(rejection);
      }
    }
  }

  #leave(run: Run): void {
    const { queue } = run;
    const now = monotonicMs();
    const milliseconds = now - run.started;
    this.longSlices.end(run, now, milliseconds);
    queue.charge(milliseconds - run.charged);
    // Slow jobs may have run for long while no other job wanted the thread.
    if (queue.lane === 'slow') this.#share.limitDebt(queue, MOST_DEBT_MS / queue.weight);
    queue.recordRun(milliseconds, run.size);
    run.workerSlot.meter.add(activities[queue.name], milliseconds, run.size);
    const members = [...run.members()];
    for (const member of members) queue.recordJob(member, milliseconds / members.length);
    run.workerSlot.run = null;
    if (run === this.lanes.borrowed) this.lanes.borrowed = null;
    if (queue === this.slow || queue === this.unproven) this.#noteWait();
  }

  #noteWait(): void {
    const { first } = this.evaluations;
    if (first) this.lanes.noteWait(monotonicMs() - first.submitted);
  }
}

/**
 * Takes the first job of the queue, and the following ones while `joins` accepts them, at most
 * `size` in all.
 */
function gather<S extends Submission>(
  queue: JobQueue<S>,
  size: number,
  joins: (submission: S) => boolean,
): S[] {
  const members = [queue.shift()!];
  if (!joins(members[0]!) || members[0]!.alone) return members;
  while (members.length < size) {
    const next = queue.first;
    if (!next || next.alone || !joins(next)) break;
    queue.take(next);
    members.push(next);
  }
  return members;
}
