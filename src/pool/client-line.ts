import type { Sharer } from './fair-share.ts';
import type { Submission } from './submission.ts';

/** What a job of a client is taken to cost before any has run, in milliseconds: 64 of them make a batch. */
const FIRST_JOB_MS = 1.5 / 64;
/** What a client pays in advance at most. */
const MOST_CHARGED_MS = 1_000;
/** How much of the newest measurement goes into the running average. */
const NEWEST_SHARE = 0.5;

/**
 * Jobs of one client that wait in a queue, in order: a doubly linked list, so that a cancelled one leaves at once. It is
 * kept for a while when it is empty, since it has the client's account of thread time.
 */
export class ClientLine<S extends Submission> implements Sharer {
  readonly client: string;
  length = 0;
  virtualTime = 0;
  /** What its jobs cost, in milliseconds. */
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

  /** Puts an item back where it came from: in front of all that came after it. */
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

  /** Takes the job into the account before it runs, at what such jobs cost. */
  charge(item: S): void {
    item.charged = Math.min(this.jobMs, MOST_CHARGED_MS);
    this.virtualTime += item.charged;
  }

  /** It does not run after all. */
  refund(item: S): void {
    this.virtualTime -= item.charged;
    item.charged = 0;
  }

  /** It has run for so long. */
  settle(item: S, milliseconds: number): void {
    this.virtualTime += milliseconds - item.charged;
    item.charged = 0;
    this.jobMs += (milliseconds - this.jobMs) * NEWEST_SHARE;
  }
}
