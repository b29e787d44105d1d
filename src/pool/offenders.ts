import { LRUCache } from 'lru-cache';

/** Clients that are remembered. */
const CLIENTS = 10_000;
/** A client is forgotten this long after its last kill, in milliseconds. */
const MEMORY_MS = 60_000;
/** A client waits twice as long each time, but no more than so many times as long as at first. */
const MOST_TIMES = 5;

interface Offender {
  waitMs: number;
  heldUntil: number;
  /** It ended a thread by a program that was known to be quick. */
  distrusted: boolean;
}

/**
 * Clients whose programs ended threads (see `Death`). A new thread takes a good part of a second of processor time, so a
 * client must wait before it can cost another one.
 */
export class Offenders {
  readonly #penaltyMs: number;
  readonly #clock: { now(): number };
  readonly #offenders: LRUCache<string, Offender>;
  /** When the last record expires. */
  #end = Number.NEGATIVE_INFINITY;

  /** `penaltyMs`: how long a client's programs wait after its first kill. */
  constructor(penaltyMs: number, clock: { now(): number } = performance) {
    this.#penaltyMs = penaltyMs;
    this.#clock = clock;
    this.#offenders = new LRUCache({ max: CLIENTS, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** `trusted`: the program had been known to be quick. The server's own work has no client, and is not blamed. */
  record(client: string, trusted: boolean): void {
    const now = this.#clock.now();
    this.#end = now + MEMORY_MS;
    if (client === '') return;
    const before = this.#offenders.get(client);
    const waitMs = before ? Math.min(MOST_TIMES * this.#penaltyMs, 2 * before.waitMs) : this.#penaltyMs;
    const distrusted = trusted || before?.distrusted === true;
    this.#offenders.set(client, { waitMs, heldUntil: now + waitMs, distrusted });
  }

  /** False when there is no need to find out who a client is. */
  get hasRecords(): boolean {
    return this.#clock.now() < this.#end;
  }

  /** Whether its programs must wait, but for those that are known to be quick. */
  isHeld(client: string): boolean {
    return this.hasRecords && this.#clock.now() < (this.#offenders.get(client)?.heldUntil ?? 0);
  }

  /** Whether even programs that are known to be quick count as unknown when they are this client's. */
  isDistrusted(client: string): boolean {
    return this.hasRecords && this.#offenders.get(client)?.distrusted === true;
  }
}
