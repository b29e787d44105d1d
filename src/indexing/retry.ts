import { setTimeout as sleep } from 'node:timers/promises';
import { PathpoolError } from '../library/client/error-response.ts';
import { TargetError } from './targets/target.ts';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** Decides how long to wait after errors that may pass. */
export class Backoff {
  #next = FIRST_MS;

  /** Call it after progress: the next error is the first one again. */
  reset(): void {
    this.#next = FIRST_MS;
  }

  /**
   * Waits before another attempt: longer each time, or as long as the server asks. Rethrows errors
   * that would occur again, and ends early, with the reason of the signal, when that is aborted.
   */
  async wait(error: unknown, signal: AbortSignal, notice: (message: string) => void): Promise<void> {
    signal.throwIfAborted();
    if (!mayPass(error)) throw error;
    const asked = error instanceof PathpoolError ? (error.problem.retryAfter ?? 0) * 1000 : 0;
    const milliseconds = Math.max(asked, this.#next * (0.5 + Math.random() / 2));
    this.#next = Math.min(LONGEST_MS, this.#next * 2);
    notice(`${messageOf(error)}; trying again in ${(milliseconds / 1000).toFixed(1)} s`);
    await sleep(milliseconds, undefined, { signal });
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof TargetError) return false;
  if (error instanceof PathpoolError) return error.status >= 500 || error.status === 429;
  return true;
}

/** `fetch` says what failed in the cause of its error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
