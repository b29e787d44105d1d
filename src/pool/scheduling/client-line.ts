import type { Submission } from '../runs/submission.ts';
import type { Sharer } from './fair-share.ts';

/**
 * Assumed cost of a client's job before one has run, in milliseconds: 64 such jobs make a
 * micro-batch.
 */
const FIRST_JOB_MS = 1.5 / 64;
/** The most that a client is charged in advance. */
const MOST_CHARGED_MS = 1_000;
/** Weight of the newest measurement in the running average. */
const NEWEST_SHARE = 0.5;

/**
 * The waiting jobs of one client in a queue, in order: a doubly linked list, so that a cancelled
 * job is removed at once. An empty line is kept for a while, since it holds the client's account of
 * thread time.
 */
export class ClientLine<S extends Submission> implements Sharer {
  readonly client: string;
  length = 0;
  virtualTime = 0;
  /** Average cost of its jobs, in milliseconds. */
  jobMs = FIRST_JOB_MS;
  #first: S | null = null;
  #last: S | null = null;

  constructor(client: string) {
    this.client = client;
  }

  get first(): S | null {
    return this.#first;
  }

  push(item: S): void {
    item.previous = this.#last;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
    this.length++;
  }

  /** Puts an item back at the front of the line. */
  putBack(item: S): void {
    item.next = this.#first;
    if (this.#first) this.#first.previous = item;
    else this.#last = item;
    this.#first = item;
    this.length++;
  }

  remove(item: S): void {
    if (item.previous) item.previous.next = item.next;
    else this.#first = item.next as S | null;
    if (item.next) item.next.previous = item.previous;
    else this.#last = item.previous as S | null;
    item.previous = null;
    item.next = null;
    this.length--;
  }

  *[Symbol.iterator](): Generator<S> {
    for (let item = this.#first; item; item = item.next as S | null) yield item;
  }

  /** Charges the client for the job in advance, at the average cost of its jobs. */
  charge(item: S): void {
    item.charged = Math.min(this.jobMs, MOST_CHARGED_MS);
    this.virtualTime += item.charged;
  }

  /** Reverses the charge for a job that does not run after all. */
  refund(item: S): void {
    this.virtualTime -= item.charged;
    item.charged = 0;
  }

  /** Replaces the charge for the job by the time that it ran. */
  settle(item: S, milliseconds: number): void {
    this.virtualTime += milliseconds - item.charged;
    item.charged = 0;
    this.jobMs += (milliseconds - this.jobMs) * NEWEST_SHARE;
  }
}
