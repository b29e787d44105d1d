import { LRUCache } from 'lru-cache';
import type { ErrorData } from '../errors.ts';

/** Threads that a program may cost before it is refused. */
const KILLS = 3;
/** Kills are forgotten, and a refused program is let in again, so long after the last of them. */
const MEMORY_MS = 5 * 60_000;

/** Programs that are remembered, by count and by the length of their texts together. */
const PROGRAMS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/**
 * Programs that ended threads (see `Death`), by their text. One that did so again and again is refused for a
 * while: each thread takes time to be replaced, and a client that tries again and again would use up all of them.
 */
export class Quarantine {
  readonly #kills: LRUCache<string, number>;
  readonly #what: string;

  /** `what` is refused, in messages. */
  constructor(clock: { now(): number } = performance, what = 'program') {
    this.#what = what;
    this.#kills = new LRUCache({
      max: PROGRAMS,
      maxSize: TOTAL_LENGTH,
      sizeCalculation: (_kills, source) => Math.max(1, source.length),
      ttl: MEMORY_MS,
      ttlResolution: 0,
      perf: clock,
    });
  }

  record(source: string): void {
    this.#kills.set(source, (this.#kills.get(source) ?? 0) + 1);
  }

  /** It has ended well. */
  forgive(source: string): void {
    if (this.#kills.size > 0) this.#kills.delete(source);
  }

  /** Why the program is refused; null when it is not. Asked for every evaluation: almost always there are no kills. */
  refusal(source: string): ErrorData | null {
    if (this.#kills.size === 0 || (this.#kills.get(source) ?? 0) < KILLS) return null;
    const retryAfter = Math.ceil(this.#kills.getRemainingTTL(source) / 1000);
    const kills = `The ${this.#what} ended ${KILLS} threads or more, each less than five minutes after the one before`;
    const message = `${kills}; it is refused for ${retryAfter} s.`;
    return { code: 'quarantined', message, details: { retryAfter } };
  }
}
