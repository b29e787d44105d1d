import type { Transferable } from 'node:worker_threads';
import { type ErrorData, toErrorData } from '../errors.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { BatchRun } from './batch-run.ts';
import { BatchSize } from './batch-size.ts';
import { DocumentRun } from './document-run.ts';
import { packEvaluations } from './evaluation-pack.ts';
import { FairShare } from './fair-share.ts';
import { HeavyRun, type HeavySubmission } from './heavy-job.ts';
import { JobQueue } from './job-queue.ts';
import type { Job } from './messages.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { Quarantine } from './quarantine.ts';
import { deathError, type Run } from './run.ts';
import type { PoolSettings, QueueName } from './settings.ts';
import type { EvaluationSubmission, Submission } from './submission.ts';
import type { TaskBoard } from './task-board.ts';
import { type ThreadKill, threadKill } from './thread-kill.ts';
import type { Seat, Threads } from './threads.ts';

export type HeavyQueueName = Exclude<QueueName, 'ldpath'>;

interface Start {
  readonly run: Run;
  readonly job: Job;
  readonly transfer: readonly Transferable[];
}

/** Share of thread time that slow evaluations get, against that of quick ones. */
const SLOW_SHARE = 1 / 8;
/** The same for jobs of many evaluations. */
const BULK_SHARE = 1 / 4;
/** For so long nobody may have handed in anything quick before the last thread is lent, in milliseconds. */
const LENDING_PAUSE_MS = 5;
/** Small documents that go together at most: one that is written out may take a hundred times as long as the usual one. */
const BATCH_DOCUMENTS = 16;
/** Bytes of small documents that go together, where it is more than one. */
const BATCH_BYTES = 64 * 1024;
/** How much longer a slow evaluation may run each time that it is run again. */
const PATIENCE = 4;

const nothing: readonly Transferable[] = [];

/**
 * Decides what runs next. A job is handed to a thread only when one is idle, and then the fair share
 * decides among the queues whose lane has a thread left.
 */
export class Scheduler {
  readonly evaluations: JobQueue<EvaluationSubmission>;
  /** Evaluations that turned out to be slow while others waited. */
  readonly slow: JobQueue<EvaluationSubmission>;
  /** Jobs of many evaluations. They hold a thread for a few milliseconds, and all but one at most, unless one is lent. */
  readonly bulk: JobQueue<HeavySubmission>;
  /** Documents that are read as quickly as an evaluation is done. */
  readonly smallDocuments: JobQueue<HeavySubmission>;
  readonly heavy: Readonly<Record<HeavyQueueName, JobQueue<HeavySubmission>>>;
  readonly queues: readonly JobQueue[];
  readonly batchSize = new BatchSize();
  readonly #documentBatchSize = new BatchSize();
  readonly #quarantine = new Quarantine();
  readonly #share: FairShare;
  readonly #threads: Threads;
  readonly #board: TaskBoard;
  readonly #settings: PoolSettings;
  readonly #snapshot: () => SnapshotDescriptor;
  /** Threads that slow evaluations may hold at one time, and that heavy jobs may hold. */
  readonly #laneLimit: number;
  /** What every submission is refused with. */
  #closed: ErrorData | null = null;
  #pumping = false;
  /** Until then (`monotonicMs`) slow evaluations do not take the last thread beside heavy jobs. */
  #slowPause = 0;
  /** When a quick job was handed in last, `monotonicMs`. */
  #lastQuick = 0;
  #lent: HeavyRun | null = null;
  #onDrained: (() => void) | null = null;
  /** Called whenever a run begins. */
  onStart: () => void = () => {};
  /** Called when something went wrong at the end of a run that should never go wrong. */
  onFault: (fault: Error) => void = () => {};
  /** Called when a thread has died during a run. */
  onKill: (kill: ThreadKill) => void = () => {};

  constructor(
    threads: Threads,
    board: TaskBoard,
    settings: PoolSettings,
    snapshot: () => SnapshotDescriptor,
  ) {
    this.#threads = threads;
    this.#board = board;
    this.#settings = settings;
    this.#snapshot = snapshot;
    this.#laneLimit = Math.max(1, threads.seats.length - 1);
    const { weights, depths } = settings;
    const heavy = (name: HeavyQueueName) =>
      new JobQueue<HeavySubmission>(name, weights[name], depths[name], 'heavy');
    this.evaluations = new JobQueue('ldpath', weights.ldpath, depths.ldpath, 'quick');
    this.slow = new JobQueue('ldpath', weights.ldpath * SLOW_SHARE, depths.ldpath, 'slow');
    this.bulk = new JobQueue('ldpath', weights.ldpath * BULK_SHARE, depths.ldpath, 'slow');
    this.smallDocuments = new JobQueue('parse', weights.parse, depths.parse, 'quick');
    this.heavy = { parse: heavy('parse'), serialize: heavy('serialize'), maintenance: heavy('maintenance') };
    this.queues = [this.evaluations, this.slow, this.bulk, this.smallDocuments, ...Object.values(this.heavy)];
    this.#share = new FairShare(this.queues);
  }

  /** Why all submissions are refused; null while they are not. */
  get closed(): ErrorData | null {
    return this.#closed;
  }

  /** Why an evaluation of that program would be refused now; null when it would not. */
  refusal(program: string): ErrorData | null {
    return this.#closed ?? this.#quarantine.refusal(program) ?? this.#overload(this.evaluations);
  }

  /** The job that has the last thread while nobody else waits for it. */
  get lent(): HeavyRun | null {
    return this.#lent;
  }

  *runs(): Generator<Run> {
    for (const seat of this.#threads.seats) if (seat.run) yield seat.run;
  }

  /** Whether jobs wait that a heavy job keeps waiting: others of its kind, or all where there is one thread. */
  get heavyWaits(): boolean {
    const alone = this.#threads.seats.length === 1;
    return this.queues.some((queue) => queue.length > 0 && (alone || queue.lane === 'heavy'));
  }

  submit<S extends Submission>(submission: S, queue: JobQueue<S>): void {
    const refusal =
      this.#closed ?? this.#quarantined(submission) ?? (submission.isPart ? null : this.#overload(queue));
    if (refusal) {
      submission.fail(refusal);
      return;
    }
    if (queue.length === 0) this.#share.wake(queue);
    queue.push(submission);
    if (queue.lane === 'quick' && !submission.isPart) this.#lastQuick = submission.submitted;
    this.#pumpSoon();
  }

  /** A waiting job leaves its queue, a running one is asked to stop; its caller is answered at once. */
  cancel(submission: Submission): void {
    if (submission.settled) return;
    if (submission.run) {
      submission.cancelled = monotonicMs();
      this.#board.cancel(submission.run.seat.index, submission.step);
    } else {
      submission.queue?.remove(submission);
    }
    submission.fail({ code: 'cancelled', message: 'The job was cancelled.', details: {} });
  }

  /** At the end of this turn of the event loop, so that what comes in together goes out together. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    if (!this.#threads.idle()) {
      this.#recall();
      return;
    }
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.pump();
    });
  }

  /** Hands jobs to idle threads as long as there are both. */
  pump(): void {
    for (let seat = this.#threads.idle(); seat; seat = this.#threads.idle()) {
      const queue = this.#share.next(this.#mayRun);
      if (queue) this.#start(this.#begin(queue, seat));
      else if (this.#mayLend()) this.#lend(seat);
      else return;
    }
    this.#recall();
  }

  /** Nothing else can run now; but quick jobs may come at any time. */
  #mayLend(): boolean {
    const lendable = this.bulk.first?.work.lent && this.#lent === null;
    return lendable === true && monotonicMs() - this.#lastQuick > LENDING_PAUSE_MS;
  }

  #lend(seat: Seat): void {
    const start = this.#begin(this.bulk, seat);
    this.#lent = start.run as HeavyRun;
    this.#start(start);
  }

  /** Asks for the thread that was lent when somebody else waits. */
  #recall(): void {
    const lent = this.#lent;
    if (!lent || lent.recalled > 0 || this.evaluations.length + this.smallDocuments.length === 0) return;
    lent.recalled = monotonicMs();
    this.#board.recall(lent.seat.index);
  }

  /** Lets jobs of a queue, in their order, go before all that wait in it. */
  putBack(submissions: readonly Submission[], queue: JobQueue): void {
    if (queue.length === 0) this.#share.wake(queue);
    for (const submission of submissions.toReversed()) queue.putBack(submission);
    this.pump();
  }

  /** Lets evaluations that made room begin again among the slow ones. */
  #postpone(submissions: readonly EvaluationSubmission[]): void {
    if (this.slow.length === 0) this.#share.wake(this.slow);
    for (const submission of submissions) {
      submission.patience *= PATIENCE;
      submission.madeRoom ||= monotonicMs();
      this.slow.push(submission);
    }
    this.pump();
  }

  /** To be called now and then: what slow evaluations wait for is time that passes. */
  tendSlow(): void {
    if (this.slow.length + this.bulk.length === 0) return;
    this.#expireSlow();
    this.pump();
  }

  /** What made room once and has not ended in its time since has not ended in time; waiting before that counts for nothing. */
  #expireSlow(): void {
    const oldest = monotonicMs() - this.#settings.evaluationMs;
    for (let first = this.slow.first; first && first.madeRoom < oldest; first = this.slow.first) {
      this.slow.remove(first);
      first.fail(deathError('time-limit'));
    }
  }

  /** From now on submissions are refused with `error`; those that wait go on waiting. */
  refuse(error: ErrorData): void {
    this.#closed = error;
  }

  /** Settles all that waits or runs with `error`. */
  failAll(error: ErrorData): void {
    for (const queue of this.queues) {
      for (let submission = queue.shift(); submission; submission = queue.shift()) submission.fail(error);
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

  /** Those that are not refused meanwhile. */
  #admit(submissions: readonly Submission[]): Submission[] {
    return submissions.filter((submission) => {
      const refusal = this.#quarantined(submission);
      if (refusal) submission.fail(refusal);
      return refusal === null;
    });
  }

  #quarantined({ program }: Submission): ErrorData | null {
    return program === null ? null : this.#quarantine.refusal(program);
  }

  #overload(queue: JobQueue): ErrorData | null {
    const waiting = queue === this.evaluations ? queue.length + this.slow.length : queue.length;
    if (waiting < queue.depth) return null;
    queue.refused++;
    const retryAfter = queue.retryAfter(
      queue.lane === 'quick' ? this.#threads.seats.length : this.#laneLimit,
    );
    const message = `Too many jobs wait for a thread; try again in ${retryAfter} s.`;
    return { code: 'overloaded', message, details: { retryAfter } };
  }

  readonly #mayRun = ({ lane }: JobQueue): boolean => {
    if (lane === 'quick') return true;
    let sameLane = 0;
    let notQuick = 0;
    for (const { run } of this.#threads.seats) {
      // What was lent counts for nothing: it can be had back.
      if (!run || run === this.#lent) continue;
      if (run.queue.lane === lane) sameLane++;
      if (run.queue.lane !== 'quick') notQuick++;
    }
    if (sameLane >= this.#laneLimit) return false;
    return lane === 'heavy' || notQuick < this.#laneLimit || monotonicMs() >= this.#slowPause;
  };

  #begin(queue: JobQueue, seat: Seat): Start {
    if (queue === this.evaluations)
      return this.#beginBatch(this.#gatherEvaluations(), this.evaluations, seat);
    if (queue === this.smallDocuments) return this.#beginDocuments(seat);
    if (queue === this.slow) return this.#beginBatch([this.slow.shift()!], this.slow, seat);
    const submission = queue.shift() as HeavySubmission;
    const run = new HeavyRun(submission, queue, seat, monotonicMs());
    return { run, job: submission.work.job(seat.index), transfer: submission.work.transfer };
  }

  #beginBatch(members: EvaluationSubmission[], queue: JobQueue<EvaluationSubmission>, seat: Seat): Start {
    const run = new BatchRun(members, queue, seat, monotonicMs(), this.#settings.evaluationMs);
    const evaluations = packEvaluations(members.map((member) => member.evaluation));
    const snapshot = this.unreadSnapshot(seat.index);
    const job: Job = { kind: 'evaluate', snapshot, evaluations, slot: seat.index };
    return { run, job, transfer: nothing };
  }

  /** The newest snapshot, for an evaluation on a thread; null when it is the one that the thread has. */
  unreadSnapshot(slot: number): SnapshotDescriptor | null {
    const newest = this.#snapshot();
    return newest === this.#threads.seats[slot]!.snapshot ? null : newest;
  }

  #beginDocuments(seat: Seat): Start {
    const run = new DocumentRun(this.#gatherDocuments(), this.smallDocuments, seat, monotonicMs());
    return { run, job: run.job(), transfer: nothing };
  }

  /** The evaluations that go together now. */
  #gatherEvaluations(): EvaluationSubmission[] {
    const size = this.batchSize.next(this.evaluations.length, this.#threads.idleCount());
    return gather(this.evaluations, size, () => true);
  }

  #gatherDocuments(): HeavySubmission[] {
    const size = this.#documentBatchSize.next(this.smallDocuments.length, this.#threads.idleCount());
    let bytes = 0;
    return gather(this.smallDocuments, Math.min(size, BATCH_DOCUMENTS), ({ work }) => {
      bytes += work.bytes ?? 0;
      return bytes <= BATCH_BYTES;
    });
  }

  #start({ run, job, transfer }: Start): void {
    const { seat, queue } = run;
    seat.run = run;
    seat.snapshot = job.kind === 'evaluate' || job.kind === 'bulk' ? (job.snapshot ?? seat.snapshot) : null;
    this.#board.reset(seat.index);
    for (const member of run.members()) queue.recordWait(run.started - member.submitted);
    run.charged = queue.runMs;
    queue.charge(run.charged);
    this.#threads
      .run(seat, job, transfer)
      .then(
        (output) => this.#end(run, output),
        (error: unknown) => this.#mourn(run, error),
      )
      .catch((fault: Error) => this.#fail(run, fault));
    this.onStart();
  }

  /** The thread gets its next job before the callers get their answers: it is the one that is idle. */
  #end(run: Run, output: unknown): void {
    if (run instanceof BatchRun && run.queue === this.evaluations && run.isTypical(output)) {
      this.batchSize.record(this.#board.busyMicros(run.seat.index), run.size);
    }
    if (run instanceof DocumentRun) {
      this.#documentBatchSize.record(this.#board.busyMicros(run.seat.index), run.size);
    }
    this.#leave(run);
    this.pump();
    const again = run.complete(output);
    if (again.length > 0) this.#postpone(again);
    if (this.#onDrained) this.#checkDrained();
  }

  #mourn(run: Run, error: unknown): void {
    const ownDeath = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'heap' : 'crash';
    const death = run.death ?? ownDeath;
    const current = this.#board.current(run.seat.index);
    if (!this.#closed) this.onKill(threadKill(run, death, current));
    const program = run.guilty(death, current)?.program;
    if (program) this.#blame(program);
    this.#leave(run);
    const again = this.#admit(run.abandon(death, current));
    if (death === 'demoted') this.#postpone(again as EvaluationSubmission[]);
    else this.putBack(again, run.queue);
    if (this.#onDrained) this.#checkDrained();
  }

  /** A fault of our own at the end of a run ends neither the process nor the waiting of its callers without an answer. */
  #fail(run: Run, fault: Error): void {
    if (run.seat.run === run) this.#leave(run);
    const error = toErrorData(fault);
    for (const member of run.members()) member.fail(error);
    this.onFault(fault);
    this.pump();
    if (this.#onDrained) this.#checkDrained();
  }

  /** What waits with a program that is refused from now on is refused too. */
  #blame(program: string): void {
    this.#quarantine.record(program);
    const refusal = this.#quarantine.refusal(program);
    if (!refusal) return;
    for (const queue of this.queues) {
      for (const submission of [...queue]) {
        if (submission.program !== program) continue;
        queue.remove(submission);
        submission.fail(refusal);
      }
    }
  }

  #leave(run: Run): void {
    const milliseconds = monotonicMs() - run.started;
    run.queue.charge(milliseconds - run.charged);
    run.queue.recordRun(milliseconds, run.size);
    run.seat.run = null;
    if (run === this.#lent) this.#lent = null;
    if (run.queue === this.slow) this.#slowPause = monotonicMs() + milliseconds / SLOW_SHARE;
  }
}

/** Takes the first of the queue, and those after it, at most `size` in all, as long as they may join it. */
function gather<S extends Submission>(
  queue: JobQueue<S>,
  size: number,
  joins: (submission: S) => boolean,
): S[] {
  const first = queue.shift()!;
  const members = [first];
  if (!joins(first) || first.alone) return members;
  for (
    let next = queue.first;
    next && !next.alone && members.length < size && joins(next);
    next = queue.first
  ) {
    members.push(next);
    queue.remove(next);
  }
  return members;
}
