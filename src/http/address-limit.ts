import { LRUCache } from 'lru-cache';
import { networkOf } from '../caller.ts';

/** Addresses that are remembered; beyond that the ones that were quiet longest are forgotten. */
const ADDRESSES = 65_536;

interface Bucket {
  tokens: number;
  /** Milliseconds, when `tokens` was right. */
  at: number;
}

/** How often one client address may do something: a token bucket for each. */
export class AddressLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: { now(): number };
  readonly #buckets = new LRUCache<string, Bucket>({ max: ADDRESSES });

  /** `perSecond` in the long run, `burst` at once. */
  constructor(perSecond: number, burst: number, clock: { now(): number } = performance) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** Takes one and gives 0, or gives the seconds after which there is one. */
  take(address: string): number {
    const bucket = this.#fill(address);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#perSecond;
    bucket.tokens--;
    return 0;
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
