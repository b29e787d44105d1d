import { PathpoolError } from './error-response.ts';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** Decides how long to wait before another attempt. */
export class Backoff {
  #next = FIRST_MS;

  /** Call it after progress: the next error is the first one again. */
  reset(): void {
    this.#next = FIRST_MS;
  }

  /**
   * Returns how many milliseconds to wait after an error: longer each time, or as long as the
   * server asks, 30 s at most.
   */
  next(error: unknown): number {
    const asked = error instanceof PathpoolError ? (error.problem.retryAfter ?? 0) * 1000 : 0;
    // Random, so that the clients of a server that starts again do not all come at once.
    const own = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(LONGEST_MS, this.#next * 2);
    return Math.min(LONGEST_MS, Math.max(asked, own));
  }
}

/** Whether the same request may succeed later: false for a response that says it is wrong. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof PathpoolError) || error.status >= 500 || error.status === 429;
}

/** Waits. Rejects with the signal's reason when that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', end);
  });
}
