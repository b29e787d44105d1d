import { LRUCache } from 'lru-cache';

/** Number of clients that are remembered. */
const CLIENTS = 10_000;
/** A client is forgotten this long after it last terminated a thread, in milliseconds. */
const MEMORY_MS = 60_000;
/** A client's wait doubles each time, up to this many times the first one. */
const MOST_TIMES = 5;

interface Offender {
  waitMs: number;
  waitsUntil: number;
  /** True if a program that was known to be fast terminated a thread. */
  distrusted: boolean;
}

/**
 * Clients whose programs terminated threads (see `WorkerExit`). Starting a thread takes a large
 * part of a second of processor time, so a client must wait before it can cost another one.
 */
export class Offenders {
  readonly #penaltyMs: number;
  readonly #clock: { now(): number };
  readonly #offenders: LRUCache<string, Offender>;
  /** When the last record expires. */
  #end = Number.NEGATIVE_INFINITY;

  /** `penaltyMs`: how long a client's programs wait after the first thread that they terminate. */
  constructor(penaltyMs: number, clock: { now(): number } = performance) {
    this.#penaltyMs = penaltyMs;
    this.#clock = clock;
    this.#offenders = new LRUCache({ max: CLIENTS, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /**
   * `trusted`: the program had been known to be fast. The server's own work has no client, and is
   * not recorded.
   */
  record(client: string, trusted: boolean): void {
    const now = this.#clock.now();
    this.#end = now + MEMORY_MS;
    if (client === '') return;
    const before = this.#offenders.get(client);
    const waitMs = before ? Math.min(MOST_TIMES * this.#penaltyMs, 2 * before.waitMs) : this.#penaltyMs;
    const distrusted = trusted || before?.distrusted === true;
    this.#offenders.set(client, { waitMs, waitsUntil: now + waitMs, distrusted });
  }

  /** False if it is unnecessary to identify a client. */
  get hasRecords(): boolean {
    return this.#clock.now() < this.#end;
  }

  /** Whether the client's programs must wait, except those that are known to be fast. */
  mustWait(client: string): boolean {
    return this.hasRecords && this.#clock.now() < (this.#offenders.get(client)?.waitsUntil ?? 0);
  }

  /** Whether the client's programs count as unknown even if they are known to be fast. */
  isDistrusted(client: string): boolean {
    return this.hasRecords && this.#offenders.get(client)?.distrusted === true;
  }
}
