import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { monotonicMs } from './monotonic-clock.ts';
import type { QueueName } from './settings.ts';
import type { Submission } from './submission.ts';

/**
 * What a queue's jobs may take of the pool. Quick jobs may run on every thread; slow ones (evaluations that took
 * long while others waited, and rows of many) and heavy ones (whole documents) on all but one.
 */
export type Lane = 'quick' | 'slow' | 'heavy';

/** How much of the newest measurement goes into a running average. */
const NEWEST_SHARE = 0.1;

/**
 * Jobs that wait for a thread, in order: a doubly linked list, so that a cancelled one leaves at once. Keeps the
 * account of thread time by which the scheduler shares fairly (start-time fair queueing: the queue whose
 * `virtualTime` is least goes first, and what its job costs moves it on, in inverse proportion to its weight).
 */
export class JobQueue<S extends Submission = Submission> {
  readonly name: QueueName;
  readonly weight: number;
  readonly depth: number;
  readonly lane: Lane;
  length = 0;
  refused = 0;
  virtualTime = 0;
  /** Thread time of one run and of one job (a batch is a run of several), milliseconds, averages. */
  runMs = 1;
  jobMs = 1;
  /** Microseconds. */
  readonly waitingTimes: RecordableHistogram = createHistogram();
  readonly runningTimes: RecordableHistogram = createHistogram();
  #first: S | null = null;
  #last: S | null = null;

  constructor(name: QueueName, weight: number, depth: number, lane: Lane) {
    this.name = name;
    this.weight = weight;
    this.depth = depth;
    this.lane = lane;
  }

  get first(): S | null {
    return this.#first;
  }

  push(item: S): void {
    item.queue = this;
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
    this.length++;
  }

  /** Puts an item back where it came from: in front of all that came after it. */
  putBack(item: S): void {
    item.queue = this;
    item.next = this.#first;
    if (this.#first) this.#first.previous = item;
    else this.#last = item;
    this.#first = item;
    this.length++;
  }

  shift(): S | null {
    const item = this.#first;
    if (item) this.remove(item);
    return item;
  }

  remove(item: S): void {
    if (item.previous) item.previous.next = item.next;
    else this.#first = item.next as S | null;
    if (item.next) item.next.previous = item.previous;
    else this.#last = item.previous as S | null;
    item.queue = null;
    item.previous = null;
    item.next = null;
    this.length--;
  }

  *[Symbol.iterator](): Generator<S> {
    for (let item = this.#first; item; item = item.next as S | null) yield item;
  }

  charge(milliseconds: number): void {
    this.virtualTime += milliseconds / this.weight;
  }

  /** Records a run of `jobs` jobs that held its thread for `milliseconds`; it was charged with `runMs` before. */
  recordRun(milliseconds: number, jobs: number): void {
    this.runningTimes.record(Math.max(1, Math.round(milliseconds * 1000)));
    this.runMs += (milliseconds - this.runMs) * NEWEST_SHARE;
    this.jobMs += (milliseconds / jobs - this.jobMs) * NEWEST_SHARE;
  }

  recordWait(milliseconds: number): void {
    this.waitingTimes.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  /** Seconds, 1 to 30, after which a refused client may try again: how long those that wait now will wait. */
  retryAfter(threads: number): number {
    const waitedMs = this.#first ? monotonicMs() - this.#first.submitted : 0;
    const drainMs = (this.length * this.jobMs) / threads;
    return Math.min(30, Math.max(1, Math.ceil(Math.max(waitedMs, drainMs) / 1000)));
  }
}
