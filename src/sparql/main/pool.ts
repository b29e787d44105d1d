import type { Caller } from '../../base/caller.ts';
import { type ErrorData, type Result, shuttingDown } from '../../errors.ts';
import { type WorkerExit, workerExitError } from '../../pool/runs/run.ts';
import { Admission } from '../../pool/scheduling/admission.ts';
import { JobQueue } from '../../pool/scheduling/job-queue.ts';
import { Quarantine } from '../../pool/scheduling/quarantine.ts';
import type { PoolCounts } from '../../pool/scheduling/queue-statistics.ts';
import { BegunTasks } from '../../pool/tasks/begun-tasks.ts';
import { liveTask } from '../../pool/tasks/listing.ts';
import type { LiveTask } from '../../pool/tasks/live-task.ts';
import type { ThreadKill } from '../../pool/threads/kill.ts';
import { monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import type { ThreadReading } from '../../pool/threads/work-meter.ts';
import { workerUrl } from '../../pool/threads/worker-url.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { estimatedBytes } from '../memory-estimate.ts';
import type { SparqlOutput } from '../messages.ts';
import type { SparqlEffects, SparqlQuery, SparqlResult, WaitingUpdate } from '../request.ts';
import type { MirrorImage } from '../thread/mirror.ts';
import { stillTakenIn, tooBig, unavailable } from '../unavailable.ts';
import { FailedStarts } from './failed-starts.ts';
import { SPARQL, SparqlSubmission, type WaitingJob } from './query-submission.ts';
import { isRunning, taskOf } from './query-tasks.ts';
import type { SparqlSettings } from './settings.ts';
import { SlowClients } from './slow-clients.ts';
import { SlowShapes } from './slow-shapes.ts';
import { type Batch, type Current, SparqlThread } from './thread.ts';

export interface SparqlPoolOptions {
  readonly settings: SparqlSettings;
  /** Returns the newest snapshot. */
  readonly snapshot: () => SnapshotDescriptor;
  readonly changeFeed: SharedArrayBuffer;
  /** Called when a thread was terminated, or died, while it worked. Another thread replaces it. */
  readonly onKill?: (kill: ThreadKill) => void;
  /** Called when a thread failed outside of any job. */
  readonly onInternalError?: (error: Error) => void;
  /** The code of the threads, in place of the SPARQL engine. */
  readonly entry?: URL;
}

/** Interval in milliseconds at which working threads are checked. */
const WATCH_MS = 20;
/**
 * Limits of a batch of quick queries: its expected time in milliseconds, and its number of
 * queries.
 */
const BATCH_MS = 2;
const MOST_TOGETHER = 32;

type Queue = JobQueue<SparqlSubmission>;

/** The query that ended a thread. */
interface Culprit {
  readonly submission: SparqlSubmission;
  /** When its evaluation began, by `monotonicMs`. */
  readonly since: number;
}

/**
 * Threads with instances of the SPARQL engine, and their queues. Each query ends with a result: its
 * own, or one of the errors `overloaded`, `cancelled`, `time-limit`, `budget-exceeded`,
 * `sparql-unavailable`, `quarantined`, `shutting-down`, `internal`.
 *
 * A query starts on the thread for quick queries. If it takes longer than quick queries may, that
 * thread is terminated, and the query moves to the queue of the other threads, where it has its
 * full time.
 */
export class SparqlPool {
  /** How many queries and updates have begun since the start. */
  readonly begun = new BegunTasks();
  readonly #settings: SparqlSettings;
  readonly #snapshot: () => SnapshotDescriptor;
  readonly #threads: readonly SparqlThread[];
  readonly #quick: Queue;
  readonly #slow: Queue;
  readonly #admission = new Admission();
  readonly #quarantine = new Quarantine(performance, 'query');
  readonly #shapes = new SlowShapes();
  readonly #slowClients = new SlowClients();
  readonly #failedStarts = new FailedStarts();
  readonly #onKill: (kill: ThreadKill) => void;
  readonly #onInternalError: (error: Error) => void;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #pumping = false;
  /** The image for new instances; undefined until the first instance has been filled. */
  #image: MirrorImage | undefined;
  /**
   * False after an instance was filled of which no image could be taken, until there is an image.
   */
  #mayHaveImage = true;
  /** Number of quads of a data set that did not fit into an instance. */
  #tooMany = Number.POSITIVE_INFINITY;
  #onDrained: (() => void) | undefined;

  constructor(options: SparqlPoolOptions) {
    const { settings, snapshot, changeFeed, onKill, onInternalError, entry = workerUrl('sparql') } = options;
    this.#settings = settings;
    this.#snapshot = snapshot;
    this.#onKill = onKill ?? (() => {});
    this.#onInternalError = onInternalError ?? (() => {});
    const queue = (sharesLine: boolean): Queue =>
      new JobQueue({ name: 'sparql', weight: 1, depth: settings.queue, lane: 'slow', sharesLine });
    this.#quick = queue(true);
    this.#slow = queue(false);
    const { threads: count, heapMegabytes } = settings;
    this.#threads = Array.from({ length: count }, (_, index) => {
      const lane = count === 1 ? 'both' : index === 0 ? 'quick' : 'slow';
      const onInternalError = (error: Error) => this.#onInternalError(error);
      const data = { settings, changeFeed };
      return new SparqlThread({
        name: `sparql-${index + 1}`,
        lane,
        heapMegabytes,
        data,
        entry,
        onInternalError,
      });
    });
  }

  query(query: SparqlQuery, caller?: Caller): Promise<Result<SparqlResult>> {
    return this.#submit({ kind: 'query', query }, caller) as Promise<Result<SparqlResult>>;
  }

  /** Returns the effects of an update on the newest data, without changing anything. */
  update(update: WaitingUpdate, caller?: Caller): Promise<Result<SparqlEffects>> {
    return this.#submit({ kind: 'update', update }, caller) as Promise<Result<SparqlEffects>>;
  }

  /** Why SPARQL is switched off; null if it is available. */
  get switchedOff(): ErrorData | null {
    return this.#settings.threads === 0 ? unavailable('SPARQL is switched off (--sparql-threads 0).') : null;
  }

  /** Whether threads may run at low priority, at which those for slow queries start. */
  allowLowPriority(allowed: boolean): void {
    for (const thread of this.#threads) thread.hostBusy = !allowed;
  }

  /** The number of running threads. */
  get started(): number {
    return this.#threads.filter((thread) => thread.isStarted).length;
  }

  counts(): PoolCounts {
    const busy = this.#threads.filter(({ batch }) => batch !== null).length;
    return {
      queues: { 'sparql-quick': this.#quick, 'sparql-slow': this.#slow },
      threads: { idle: this.started - busy, busy, starting: 0 },
      quarantined: this.#quarantine.size,
    };
  }

  *liveTasks(): Generator<LiveTask> {
    for (const submission of this.#submissions()) {
      yield liveTask(submission, isRunning(submission), () => taskOf(submission));
    }
  }

  /** Returns what each thread has done, and does now. */
  readThreads(): ThreadReading[] {
    return this.#threads.map((thread) => thread.read());
  }

  /** Returns undefined if there is no such task. */
  cancel(group: string, name: string): boolean | undefined {
    if (group !== SPARQL) return undefined;
    for (const submission of this.#submissions()) {
      if (submission.name !== name) continue;
      this.#cancel(submission);
      return true;
    }
    return undefined;
  }

  /** Rejects new queries, gives the current ones `graceMs` to end, and terminates the threads. */
  async close(graceMs: number): Promise<void> {
    const error = shuttingDown();
    this.#admission.closed = error;
    await this.#drained(graceMs);
    for (const submission of [...this.#submissions()]) submission.fail(error);
    clearInterval(this.#watch);
    clearTimeout(this.#idle);
    await Promise.all(this.#threads.map((thread) => thread.release()));
  }

  #submit(job: WaitingJob, caller: Caller | undefined): Promise<Result<SparqlResult | SparqlEffects>> {
    return new Promise((resolve) => {
      const submission = new SparqlSubmission(job, monotonicMs(), caller, resolve);
      const queue = this.#queueFor(submission);
      const rejection = this.#rejection(submission, queue);
      if (rejection) {
        submission.fail(rejection);
        return;
      }
      queue.push(submission);
      this.begun.add(SPARQL);
      caller?.onAbort(() => this.#cancel(submission));
      this.#pumpSoon();
    });
  }

  #rejection(submission: SparqlSubmission, queue: Queue): ErrorData | null {
    return (
      this.#admission.closed ??
      this.#unavailable() ??
      this.#quarantine.rejection(submission.programKey) ??
      this.#admission.overload([queue], submission, this.#slowThreads)
    );
  }

  #unavailable(): ErrorData | null {
    const { quadCount } = this.#snapshot();
    const { maxBytes } = this.#settings;
    if (this.switchedOff) return this.switchedOff;
    const failed = this.#failedStarts.rejection;
    if (failed) return failed;
    const bytes = estimatedBytes(quadCount);
    if (bytes > maxBytes) return tooBig(`${quadCount} quads, which take about ${bytes} bytes,`, maxBytes);
    return quadCount < this.#tooMany ? null : tooBig(`${quadCount} quads`, maxBytes);
  }

  /**
   * Records that the data did not fit into an instance. All waiting queries would fail for the same
   * reason.
   */
  #noteTooMany(quadCount: number): void {
    this.#tooMany = quadCount;
    this.#rejectWaiting();
  }

  /** Fails the waiting queries with the error that new ones would get. */
  #rejectWaiting(): void {
    const error = this.#unavailable();
    if (!error) return;
    for (const submission of [...this.#slow, ...this.#quick]) {
      submission.queue?.remove(submission);
      submission.fail(error);
    }
  }

  #queueFor(submission: SparqlSubmission): Queue {
    return this.#threads.length > 1 && this.#isSlow(submission) ? this.#slow : this.#quick;
  }

  /**
   * Whether a query is expected to take long. That of a restricted client needs an instance of its
   * own: filling it must not delay others, and it must not be lost with the thread for quick ones.
   */
  #isSlow(submission: SparqlSubmission): boolean {
    if (submission.isRestricted) return true;
    if (this.#shapes.has(submission.text)) return true;
    return this.#slowClients.hasRecords && this.#slowClients.has(submission.client);
  }

  /**
   * Waits for the end of this event loop turn, so that queries that arrive together are sent
   * together.
   */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    // The thread for quick queries comes first: it may pass some of its queries on to the others.
    for (const thread of this.#threads) {
      if (thread.batch || this.#awaitsImage(thread)) continue;
      const queue = thread.lane === 'slow' ? this.#slow : this.#quick;
      if (queue.length > 0) this.#start(thread, queue);
    }
    if (this.#isIdle) this.#onDrained?.();
  }

  /** Whether another thread is loading the data: this one waits for its image. */
  #awaitsImage({ hasInstance }: SparqlThread): boolean {
    if (hasInstance || this.#image || !this.#mayHaveImage) return false;
    return this.#threads.some(({ batch, takesIn }) => batch?.fills && takesIn);
  }

  /**
   * Whether no query is running or waiting. A thread that is only being prepared does not count.
   */
  get #isIdle(): boolean {
    const isFree = ({ batch }: SparqlThread) => !batch || batch.submissions.length === 0;
    return this.#quick.length + this.#slow.length === 0 && this.#threads.every(isFree);
  }

  #start(thread: SparqlThread, queue: Queue): void {
    const most = thread.lane === 'slow' ? 1 : Math.min(MOST_TOGETHER, Math.ceil(BATCH_MS / queue.jobMs));
    const submissions: SparqlSubmission[] = [];
    const now = monotonicMs();
    while (submissions.length < most && queue.length > 0) {
      const submission = queue.shift()!;
      if (thread.lane === 'quick' && this.#isSlow(submission)) {
        this.#pushSlow(submission);
        continue;
      }
      queue.recordWait(now - submission.submitted);
      submission.thread = thread;
      submissions.push(submission);
    }
    if (submissions.length > 0) this.#run(thread, submissions);
  }

  #run(thread: SparqlThread, submissions: readonly SparqlSubmission[]): void {
    const ended = thread.run(submissions, this.#snapshot(), this.#image);
    const batch = thread.batch!;
    this.#watch ??= setInterval(() => this.#look(), WATCH_MS);
    ended.then(
      (output) => {
        if (thread.batch === batch) this.#complete(thread, batch, output);
      },
      (error: unknown) => {
        if (thread.batch === batch) this.#died(thread, batch, error);
      },
    );
  }

  #complete(thread: SparqlThread, batch: Batch, output: SparqlOutput): void {
    if (output.failure !== undefined) {
      this.#endUnmade(thread, batch, 'crash', `A thread could not take in the data: ${output.failure}`);
      return;
    }
    const { submissions, quadCount, fills } = batch;
    thread.leave();
    thread.hasInstance = true;
    const queue = thread.lane === 'slow' ? this.#slow : this.#quick;
    const { results, times, isBloated, isBroken, isTooBig, image } = output;
    if (image) {
      this.#image = image;
      this.#mayHaveImage = true;
      thread.noteImage(image);
    } else if (fills && !isTooBig) this.#mayHaveImage = false;
    if (results.length > 0 && !isTooBig) this.#failedStarts.forget();
    const milliseconds = times.reduce((sum, each) => sum + each, 0);
    if (milliseconds > 0) queue.recordRun(milliseconds, results.length);
    results.forEach((result, index) => {
      const submission = submissions[index]!;
      submission.thread = null;
      queue.recordJob(submission, times[index]!);
      this.#judge(submission, result, isBroken && index === results.length - 1);
      if (thread.lane === 'slow' && times[index]! < this.#settings.quickMs) {
        this.#shapes.noteQuick(submission.text);
      }
      submission.settle(result);
    });
    this.#putBack(submissions.slice(results.length), queue);
    if (isBloated) void (isTooBig ? thread.release() : thread.end());
    if (isTooBig) this.#noteTooMany(quadCount);
    this.#free(thread);
    if (isTooBig) return;
    if (thread.lane !== 'slow') thread.prepareNext();
    // Not after a batch without jobs, which would fail repeatedly.
    if (isBloated && submissions.length > 0) this.#prepare(thread);
  }

  /** Updates the quarantine with the outcome of a query. */
  #judge({ programKey }: SparqlSubmission, result: Result<unknown>, brokeInstance: boolean): void {
    const code = result.ok ? undefined : result.error.code;
    const endsThread = code === 'budget-exceeded' || (code === 'unsupported-sparql' && brokeInstance);
    if (endsThread) this.#quarantine.record(programKey);
    else this.#quarantine.forgive(programKey);
  }

  #putBack(submissions: readonly SparqlSubmission[], queue: Queue): void {
    const waiting = submissions.filter(({ settled }) => !settled);
    for (const submission of submissions) submission.thread = null;
    queue.putBack(waiting);
  }

  #free(thread: SparqlThread): void {
    thread.lastUsed = monotonicMs();
    this.#idle ??= setTimeout(() => this.#releaseIdle(), this.#settings.idleMs).unref();
    this.#pump();
  }

  #releaseIdle(): void {
    this.#idle = undefined;
    const { idleMs } = this.#settings;
    const now = monotonicMs();
    let next = Number.POSITIVE_INFINITY;
    for (const thread of this.#threads) {
      if (!thread.isStarted) continue;
      const left = thread.batch ? idleMs : thread.lastUsed + idleMs - now;
      if (left <= 0) void thread.release();
      else next = Math.min(next, left);
    }
    if (this.started === 0) this.#image = undefined;
    if (next < Number.POSITIVE_INFINITY) this.#idle = setTimeout(() => this.#releaseIdle(), next).unref();
  }

  /** Terminates threads whose query has used up its time. */
  #look(): void {
    // The timer stops only when it finds all threads idle, not after each batch.
    if (this.#threads.every(({ batch }) => !batch)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    this.#failOverdue();
    // A thread that filled its instance may be evaluating, without having given an image.
    if (this.#quick.length + this.#slow.length > 0) this.#pump();
    for (const thread of this.#threads) {
      if (thread.hasStalled(this.#settings.stallMs)) this.#endStalled(thread, thread.batch!);
      const current = thread.look();
      const workerExit = current && this.#exitOf(current, thread);
      if (workerExit) this.#kill(thread, thread.batch!, workerExit, current.submission);
    }
  }

  /**
   * Fails queries that have waited longer than `waitMs` for data to be loaded. The thread goes on
   * loading for later queries.
   */
  #failOverdue(): void {
    const now = monotonicMs();
    const { waitMs } = this.#settings;
    const isLong = ({ takesIn, batch }: SparqlThread) => takesIn && now - batch!.started > waitMs;
    const slowest = this.#threads.find(isLong);
    if (!slowest) return;
    const error = stillTakenIn(slowest.status!.progress, slowest.batch!.quadCount);
    const fail = (submission: SparqlSubmission) => {
      if (submission.settled || now - Math.max(submission.submitted, submission.requeued) <= waitMs) return;
      submission.queue?.remove(submission);
      submission.fail(error);
    };
    for (const thread of this.#threads) if (isLong(thread)) thread.batch!.submissions.forEach(fail);
    const isBlocked = (thread: SparqlThread) =>
      isLong(thread) || (!thread.batch && this.#awaitsImage(thread));
    for (const queue of [this.#quick, this.#slow]) {
      if (this.#servants(queue).every(isBlocked)) [...queue].forEach(fail);
    }
  }

  /** Returns the threads that serve a queue. */
  #servants(queue: Queue): readonly SparqlThread[] {
    return this.#threads.filter(({ lane }) => (lane === 'slow') === (queue === this.#slow));
  }

  /** Ends a thread that hangs before the first job of its batch. */
  #endStalled(thread: SparqlThread, batch: Batch): void {
    const { step, progress } = thread.status!;
    const seconds = this.#settings.stallMs / 1000;
    const why = `A thread made no progress for ${seconds} s while it was ${step}, after ${progress} quads.`;
    this.#endUnmade(thread, batch, 'time-limit', why);
  }

  /** It has no instance for its batch. */
  #endUnmade(thread: SparqlThread, batch: Batch, workerExit: WorkerExit, why: string): void {
    this.#onInternalError(new Error(why));
    this.#report(thread, batch, workerExit, undefined);
    void thread.end();
    this.#noteUnmade(batch, workerExit, why);
    this.#abandon(thread, batch, workerExit, undefined);
  }

  /** Returns the reason to terminate a query now. */
  #exitOf({ submission, wallMs, ownMs }: Current, { lane }: SparqlThread): WorkerExit | undefined {
    const { quickMs, timeMs } = this.#settings;
    if (submission.settled) return wallMs > quickMs ? 'cancelled' : undefined;
    if (lane === 'quick') return ownMs > quickMs ? 'demoted' : undefined;
    return wallMs > timeMs ? 'time-limit' : undefined;
  }

  #kill(thread: SparqlThread, batch: Batch, workerExit: WorkerExit, current: SparqlSubmission): void {
    const since = thread.status?.since ?? batch.started;
    this.#report(thread, batch, workerExit, current);
    void thread.end();
    this.#abandon(thread, batch, workerExit, { submission: current, since });
  }

  /** Handles the end of a thread. */
  #abandon(thread: SparqlThread, batch: Batch, workerExit: WorkerExit, culprit: Culprit | undefined): void {
    const queue = thread.lane === 'slow' ? this.#slow : this.#quick;
    this.#putBack(
      batch.submissions.filter((submission) => submission !== culprit?.submission),
      queue,
    );
    if (culprit) {
      const { submission, since } = culprit;
      submission.thread = null;
      // Excludes the time in which the instance was made, which is not charged to the client.
      queue.recordJob(submission, monotonicMs() - since);
      if (workerExit === 'demoted') this.#move(submission);
      else this.#recordCrash(submission, workerExit);
    }
    this.#free(thread);
    // A thread that fails before it begins a job would be restarted again and again.
    if (culprit) this.#prepare(thread);
  }

  /** Restarts the thread for quick queries before there is work for it. */
  #prepare(thread: SparqlThread): void {
    if (thread.lane === 'slow' || thread.batch || this.#awaitsImage(thread) || this.#admission.closed) return;
    this.#run(thread, []);
  }

  /** Moves a query to the threads for slow queries. */
  #move(submission: SparqlSubmission): void {
    this.#shapes.add(submission.text);
    this.#slowClients.record(submission.client);
    submission.requeued = monotonicMs();
    if (!submission.settled) this.#pushSlow(submission);
  }

  #pushSlow(submission: SparqlSubmission): void {
    const rejection = this.#admission.overload([this.#slow], submission, this.#slowThreads);
    if (rejection) submission.fail(rejection);
    else this.#slow.push(submission);
  }

  get #slowThreads(): number {
    return Math.max(1, this.#settings.threads - 1);
  }

  #recordCrash(submission: SparqlSubmission, workerExit: WorkerExit): void {
    if (workerExit === 'time-limit' || workerExit === 'heap') this.#quarantine.record(submission.programKey);
    submission.fail(workerExitError(workerExit));
  }

  #died(thread: SparqlThread, batch: Batch, error: unknown): void {
    const isHeap = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    const { since = 0, job = 0 } = thread.status ?? {};
    const current = since > 0 ? batch.submissions[job] : undefined;
    const workerExit = isHeap ? 'heap' : 'crash';
    if (!isHeap && error instanceof Error) this.#onInternalError(error);
    this.#report(thread, batch, workerExit, current);
    void thread.end();
    const why = isHeap ? 'A thread ran out of memory.' : 'A thread died before its first query.';
    if (!current) this.#noteUnmade(batch, workerExit, why);
    this.#abandon(thread, batch, workerExit, current && { submission: current, since });
  }

  /** Handles a thread that ended before it began a job: its instance is the cause. */
  #noteUnmade({ submissions, quadCount }: Batch, workerExit: WorkerExit, why: string): void {
    // The data may still fit into an instance that is not made from the image.
    const hadImage = this.#image !== undefined;
    this.#image = undefined;
    this.#failedStarts.record(why);
    const { rejection } = this.#failedStarts;
    const isTooBig = workerExit === 'heap' && (!hadImage || rejection !== null);
    const error = isTooBig ? unavailable('The data do not fit into a thread.') : rejection;
    if (!error) return;
    // Smaller data may fit right away.
    if (isTooBig) this.#failedStarts.forget();
    for (const submission of submissions) submission.fail(error);
    if (isTooBig) this.#noteTooMany(quadCount);
    else this.#rejectWaiting();
  }

  #report(
    thread: SparqlThread,
    batch: Batch,
    reason: WorkerExit,
    current: SparqlSubmission | undefined,
  ): void {
    this.#onKill({
      thread: thread.name,
      reason,
      task: current?.name,
      client: current?.caller?.remoteAddress,
      user: current?.caller?.user,
      duration: Math.round(monotonicMs() - batch.started),
    });
  }

  #cancel(submission: SparqlSubmission): void {
    if (submission.settled) return;
    submission.queue?.remove(submission);
    submission.fail({ code: 'cancelled', message: 'The query was cancelled.', details: {} });
  }

  *#submissions(): Generator<SparqlSubmission> {
    for (const { batch } of this.#threads) {
      if (batch) for (const submission of batch.submissions) if (!submission.settled) yield submission;
    }
    yield* this.#slow;
    yield* this.#quick;
  }

  #drained(graceMs: number): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
