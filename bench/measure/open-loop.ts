import type { Arrivals } from './arrivals.ts';
import { Histogram } from './histogram.ts';

const MICROSECONDS = 1000;

/** Sends one request over a connection; calls back with whether the answer was right. */
export type Send<Connection> = (connection: Connection, done: (ok: boolean) => void) => void;

export interface OpenLoopParts<Connection> {
  readonly arrivals: Arrivals;
  readonly send: Send<Connection>;
  /**
   * Opens another connection; returns undefined if there are enough. Then requests wait, and the
   * wait counts.
   */
  readonly connect: () => Connection | undefined;
  /** Milliseconds, of the clock of the arrivals. */
  readonly now: () => number;
}

/**
 * Sends requests at a constant rate over connections with one request each at a time. Independent
 * of sockets and timers.
 */
export class OpenLoop<Connection> {
  /** Microseconds from the moment when a request was due to its answer. */
  readonly latencies = new Histogram();
  /**
   * Microseconds from the due time to sending, for requests that found a free connection: the
   * sender's own delay.
   */
  readonly lateness = new Histogram();
  readonly #parts: OpenLoopParts<Connection>;
  readonly #idle: Connection[] = [];
  /** When those were due that no connection was free for, oldest first, from `#waitingFrom` on. */
  readonly #waiting: number[] = [];
  #waitingFrom = 0;
  readonly #running = new Set<{ readonly due: number }>();
  #failures = 0;

  constructor(parts: OpenLoopParts<Connection>) {
    this.#parts = parts;
  }

  get failures(): number {
    return this.#failures;
  }

  get finished(): boolean {
    return this.#parts.arrivals.left === 0 && this.#running.size === 0 && this.#backlog === 0;
  }

  /** Milliseconds for which the oldest request has waited for a connection. */
  get behind(): number {
    return this.#backlog === 0 ? 0 : this.#parts.now() - this.#waiting[this.#waitingFrom]!;
  }

  /** Sends what is due by now; to be called again and again. */
  advance(): void {
    const { arrivals, connect, now } = this.#parts;
    const moment = now();
    for (let due = arrivals.take(moment); due !== undefined; due = arrivals.take(moment)) {
      const connection = this.#backlog === 0 ? (this.#idle.pop() ?? connect()) : undefined;
      if (connection === undefined) this.#waiting.push(due);
      else {
        this.lateness.record((now() - due) * MICROSECONDS);
        this.#start(connection, due);
      }
    }
  }

  /**
   * Ends early: requests without a response count as failures that have taken until now. Returns
   * their number.
   */
  abandon(): number {
    const unanswered = [...this.#running]
      .map(({ due }) => due)
      .concat(this.#waiting.slice(this.#waitingFrom));
    for (const due of unanswered) this.#record(due, false);
    this.#running.clear();
    this.#waitingFrom = this.#waiting.length;
    return unanswered.length;
  }

  get #backlog(): number {
    return this.#waiting.length - this.#waitingFrom;
  }

  #start(connection: Connection, due: number): void {
    const request = { due };
    this.#running.add(request);
    this.#parts.send(connection, (ok) => {
      if (!this.#running.delete(request)) return;
      this.#record(due, ok);
      this.#reuse(connection);
    });
  }

  #reuse(connection: Connection): void {
    if (this.#backlog === 0) this.#idle.push(connection);
    else this.#start(connection, this.#waiting[this.#waitingFrom++]!);
  }

  #record(due: number, ok: boolean): void {
    this.latencies.record((this.#parts.now() - due) * MICROSECONDS);
    if (!ok) this.#failures++;
  }
}
