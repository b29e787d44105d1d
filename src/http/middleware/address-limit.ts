import { LRUCache } from 'lru-cache';
import { networkOf } from '../../base/caller.ts';

/**
 * Number of addresses that are remembered. Beyond it, the least recently active ones are dropped.
 */
const ADDRESSES = 65_536;

interface Bucket {
  tokens: number;
  /** Time in milliseconds at which `tokens` was computed. */
  at: number;
}

/** A rate limit for each client address, as a token bucket. */
export class AddressLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: { now(): number };
  readonly #buckets = new LRUCache<string, Bucket>({ max: ADDRESSES });

  /** `perSecond`: the sustained rate. `burst`: the capacity of a bucket. */
  constructor(perSecond: number, burst: number, clock: { now(): number } = performance) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes a token and returns 0, or returns the seconds until a token is available. */
  take(address: string): number {
    const bucket = this.#fill(address);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#perSecond;
    bucket.tokens--;
    return 0;
  }

  /** Returns the seconds until a token is available, without taking it. */
  wait(address: string): number {
    return Math.max(0, 1 - this.#fill(address).tokens) / this.#perSecond;
  }

  giveBack(address: string): void {
    const bucket = this.#fill(address);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }

  #fill(address: string): Bucket {
    const key = networkOf(address);
    const now = this.#clock.now();
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = { tokens: this.#burst, at: now };
      this.#buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond);
    bucket.at = now;
    return bucket;
  }
}
