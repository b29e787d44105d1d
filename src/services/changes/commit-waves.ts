import { setTimeout as delay } from 'node:timers/promises';
import type { StoreClient } from '../../store/main/client.ts';

/** What ends a wait: a commit, the time, or the end of the stream. */
export type Wakening = 'commit' | 'time' | 'stopped';

interface Waiter {
  readonly since: number;
  wake(why: Wakening): void;
}

/**
 * The least time between two waves, in milliseconds: streams take what was committed meanwhile
 * together, so that their work does not grow with the number of commits.
 */
const PACE_MS = 5;
/** How long one wait for a commit takes at most: none must outlive the server for long. */
const WAIT_MS = 1000;

/** Wakes streams when there are new commits. Without streams it does nothing. */
export class CommitWaves {
  readonly #store: Pick<StoreClient, 'snapshot' | 'whenCommitted'>;
  readonly #waiters = new Set<Waiter>();
  #last = Number.NEGATIVE_INFINITY;
  #running = false;

  constructor(store: Pick<StoreClient, 'snapshot' | 'whenCommitted'>) {
    this.#store = store;
  }

  /**
   * Waits for a commit after `since`, at most this long in milliseconds.
   *
   * @param onStop receives a function that ends the wait
   */
  wait(since: number, ms: number, onStop: (stop: () => void) => void): Promise<Wakening> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake('time'), ms);
      const wake = (why: Wakening) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(why);
      };
      const waiter: Waiter = { since, wake };
      this.#waiters.add(waiter);
      onStop(() => wake('stopped'));
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiters.size > 0) {
      const { sequence } = this.#store.snapshot;
      const isBehind = [...this.#waiters].some(({ since }) => since < sequence);
      if (!isBehind) await this.#store.whenCommitted(sequence + 1, WAIT_MS);
      await this.#pace();
      this.#wake();
    }
    this.#running = false;
  }

  async #pace(): Promise<void> {
    const rest = this.#last + PACE_MS - performance.now();
    if (rest > 0) await delay(rest);
  }

  #wake(): void {
    const { sequence } = this.#store.snapshot;
    const woken = [...this.#waiters].filter(({ since }) => since < sequence);
    if (woken.length > 0) this.#last = performance.now();
    for (const waiter of woken) waiter.wake('commit');
  }
}
