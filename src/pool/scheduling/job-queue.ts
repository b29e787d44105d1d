import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { DurationCounts } from '../../base/duration-counts.ts';
import type { Submission } from '../runs/submission.ts';
import type { QueueName } from '../settings.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import { ClientLine } from './client-line.ts';
import { FairShare, type Sharer } from './fair-share.ts';

/**
 * Which threads the jobs of a queue may use. Fast jobs (`fast`) may run on every thread. Slow jobs
 * (evaluations that are not known to be fast, and parts of batches) and heavy jobs (whole
 * documents) may run on all but one.
 */
export type Lane = 'fast' | 'slow' | 'heavy';

/** The queues of the pool, and those of the SPARQL threads. */
export type JobQueueName = QueueName | 'sparql';

export interface JobQueueOptions {
  readonly name: JobQueueName;
  readonly weight: number;
  readonly depth: number;
  readonly lane: Lane;
  /**
   * True if clients share one line as long as it is short, since it takes time to identify the
   * client of each job. Otherwise each client always has its own line.
   */
  readonly sharesLine?: boolean;
  /** True if its jobs end by themselves after a few milliseconds. */
  readonly brief?: boolean;
  /** Whether the client's jobs must wait even if it is their turn. */
  readonly mustWait?: (client: string) => boolean;
}

/** Weight of the newest measurement in a running average. */
const NEWEST_SHARE = 0.1;
/** Number of clients whose accounts are kept while they have no waiting jobs. */
const ACCOUNTS = 10_000;
/**
 * The most that a client has to make up for after it used more than the others, in milliseconds of
 * thread time.
 */
const MOST_DEBT_MS = 1_000;
/**
 * When a job has waited this long in the shared line, in milliseconds, clients get lines of their
 * own.
 */
const CROWDED_MS = 10;
/** The client name of the line that all clients share. */
const ALL = '';

/**
 * Jobs that wait for a thread. Within a queue clients take turns, according to the thread time that
 * they have used: many jobs of one client delay another client by one turn, not by all of them. The
 * scheduler shares thread time between queues in the same way.
 */
export class JobQueue<S extends Submission = Submission> implements Sharer {
  readonly name: JobQueueName;
  readonly weight: number;
  readonly depth: number;
  readonly lane: Lane;
  readonly brief: boolean;
  length = 0;
  rejected = 0;
  /** Number of jobs that ended in a thread, with whatever result. */
  finished = 0;
  virtualTime = 0;
  /**
   * Average thread time of a run and of a job (a micro-batch is a run of several jobs), in
   * milliseconds.
   */
  runMs = 1;
  jobMs = 1;
  /** In microseconds. */
  readonly waitingTimes: RecordableHistogram = createHistogram();
  readonly runningTimes: RecordableHistogram = createHistogram();
  readonly waits = new DurationCounts();
  readonly #sharesLine: boolean;
  readonly #mustWait: (client: string) => boolean;
  /** By client: all lines with waiting jobs, and some that are empty now. */
  readonly #lines = new Map<string, ClientLine<S>>();
  readonly #waiting: ClientLine<S>[] = [];
  readonly #turns = new FairShare(this.#waiting);

  constructor(options: JobQueueOptions) {
    this.name = options.name;
    this.weight = options.weight;
    this.depth = options.depth;
    this.lane = options.lane;
    this.brief = options.brief ?? false;
    this.#sharesLine = options.sharesLine ?? false;
    this.#mustWait = options.mustWait ?? (() => false);
  }

  /** The job whose turn it is; null if there is none, or if all clients must wait. */
  get first(): S | null {
    return this.#turns.next(this.#mayHaveTurn)?.first ?? null;
  }

  push(item: S): void {
    this.#join(this.#lineFor(item), item, false);
  }

  /**
   * Puts back items that did not run after all, in their order, in front of their clients' waiting
   * jobs.
   */
  putBack(items: readonly S[]): void {
    for (const item of items.toReversed()) {
      const line = this.#lineOf(item);
      line.refund(item);
      this.#join(line, item, true);
    }
  }

  shift(): S | null {
    const item = this.first;
    if (item) this.take(item);
    return item;
  }

  /** Removes a job from the queue in order to run it. */
  take(item: S): void {
    const line = item.line as ClientLine<S>;
    this.remove(item);
    line.charge(item);
  }

  remove(item: S): void {
    const line = item.line as ClientLine<S>;
    line.remove(item);
    item.queue = null;
    this.length--;
    if (line.length === 0) this.#waiting.splice(this.#waiting.indexOf(line), 1);
  }

  *[Symbol.iterator](): Generator<S> {
    for (const line of this.#waiting) yield* line;
  }

  /** Whether a job of another client waits that may have its turn. */
  waitsBeside(client: string): boolean {
    for (const line of this.#waiting) if (line.client !== client && !this.#mustWait(line.client)) return true;
    return false;
  }

  /** Yields the first job of each other client that may have its turn. */
  *firstsBeside(client: string): Generator<S> {
    for (const line of this.#waiting)
      if (line.client !== client && !this.#mustWait(line.client)) yield line.first!;
  }

  /** Number of clients that have waiting jobs. */
  get clients(): number {
    return this.#waiting.length;
  }

  /** Returns the number of jobs that wait in the client's own line. */
  lengthOf(client: string): number {
    return this.#lines.get(client)?.length ?? 0;
  }

  charge(milliseconds: number): void {
    this.virtualTime += milliseconds / this.weight;
  }

  /**
   * Records a run of `jobs` jobs that occupied its thread for `milliseconds`. Its queue was charged
   * with `runMs` before.
   */
  recordRun(milliseconds: number, jobs: number): void {
    this.runningTimes.record(Math.max(1, Math.round(milliseconds * 1000)));
    this.runMs += (milliseconds - this.runMs) * NEWEST_SHARE;
    this.jobMs += (milliseconds / jobs - this.jobMs) * NEWEST_SHARE;
  }

  /** Records that a job of a run ended, and its share of the run's time. */
  recordJob(item: S, milliseconds: number): void {
    this.finished++;
    const line = this.#lineOf(item);
    line.settle(item, milliseconds);
    this.#turns.limitDebt(line, MOST_DEBT_MS);
  }

  recordWait(milliseconds: number): void {
    this.waitingTimes.record(Math.max(1, Math.round(milliseconds * 1000)));
    this.waits.record(milliseconds);
  }

  /**
   * Seconds, 1 to 30, after which a rejected client may try again: an estimate of how long the jobs
   * that wait now will wait.
   */
  retryAfter(threads: number): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { first } of this.#waiting) oldest = Math.min(oldest, first!.submitted);
    const waitedMs = Math.max(0, monotonicMs() - oldest);
    const drainMs = (this.length * this.jobMs) / threads;
    return Math.min(30, Math.max(1, Math.ceil(Math.max(waitedMs, drainMs) / 1000)));
  }

  readonly #mayHaveTurn = (line: ClientLine<Submission>): boolean => {
    if (!this.#mustWait(line.client)) return true;
    // A client that must wait earns no credit meanwhile.
    this.#turns.wake(line as ClientLine<S>);
    return false;
  };

  #join(line: ClientLine<S>, item: S, inFront: boolean): void {
    if (line.length === 0) {
      if (!inFront) this.#turns.wake(line);
      this.#waiting.push(line);
    }
    item.queue = this;
    item.line = line;
    if (inFront) line.putBack(item);
    else line.push(item);
    this.length++;
  }

  /**
   * Returns the line that a job came from, or its client's present line if that one was forgotten
   * while the job ran.
   */
  #lineOf(item: S): ClientLine<S> {
    const line = item.line as ClientLine<S>;
    const known = this.#lines.get(line.client);
    if (known) return known;
    this.#lines.set(line.client, line);
    return line;
  }

  #lineFor(item: S): ClientLine<S> {
    const client = this.#sharesLine && !this.#isCrowded(item.submitted) ? ALL : item.client;
    const known = this.#lines.get(client);
    if (known) return known;
    if (this.#lines.size >= ACCOUNTS) this.#forget();
    const line = new ClientLine<S>(client);
    this.#lines.set(client, line);
    return line;
  }

  #isCrowded(now: number): boolean {
    const shared = this.#lines.get(ALL);
    if (!shared?.first) return false;
    return now - shared.first.submitted > CROWDED_MS || shared.length >= this.depth / 2;
  }

  #forget(): void {
    for (const [client, line] of this.#lines) if (line.length === 0) this.#lines.delete(client);
  }
}
