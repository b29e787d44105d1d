import { LRUCache } from 'lru-cache';
import type { ErrorData } from '../../errors.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';

/** Number of threads that a program may terminate before it is rejected. */
const KILLS = 3;
/**
 * This long after the last of them, in milliseconds, they are forgotten, and a rejected program is
 * admitted again.
 */
const MEMORY_MS = 5 * 60_000;

/** Programs that are remembered: their number, and the total length of their texts. */
const PROGRAMS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/**
 * Returns what the quarantine knows a program by. For clients that see other graphs the same text
 * is another program: it must not tell them what it does to data that are hidden from them. No
 * program has the form of the keys with graphs.
 */
export function programKey(text: string, visible: IriPatterns | undefined): string {
  return visible === undefined ? text : JSON.stringify([visible.key, text]);
}

/**
 * Programs that terminated threads (see `WorkerExit`), by their keys. A program that did so
 * repeatedly is rejected for a while: replacing a thread takes time, and a client that keeps
 * retrying would use up all of them.
 */
export class Quarantine {
  readonly #kills: LRUCache<string, number>;
  readonly #what: string;

  /** `what` names the rejected item in messages. */
  constructor(clock: { now(): number } = performance, what = 'program') {
    this.#what = what;
    this.#kills = new LRUCache({
      max: PROGRAMS,
      maxSize: TOTAL_LENGTH,
      sizeCalculation: (_kills, key) => Math.max(1, key.length),
      ttl: MEMORY_MS,
      ttlResolution: 0,
      perf: clock,
    });
  }

  record(key: string): void {
    this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
  }

  /** Call it when a run of the program has ended normally. */
  forgive(key: string): void {
    if (this.#kills.size > 0) this.#kills.delete(key);
  }

  /** The number of programs that are rejected now. */
  get size(): number {
    this.#kills.purgeStale();
    let size = 0;
    for (const kills of this.#kills.values()) if (kills >= KILLS) size++;
    return size;
  }

  /**
   * Returns why the program is rejected; null if it is not. Called for every evaluation, so it is
   * fast when nothing is recorded, which is almost always the case.
   */
  rejection(key: string): ErrorData | null {
    if (this.#kills.size === 0 || (this.#kills.get(key) ?? 0) < KILLS) return null;
    const retryAfter = Math.ceil(this.#kills.getRemainingTTL(key) / 1000);
    const kills = `The ${this.#what} terminated ${KILLS} threads or more, each less than five minutes after the one before`;
    const message = `${kills}; it is rejected for ${retryAfter} s.`;
    return { code: 'quarantined', message, details: { retryAfter } };
  }
}
