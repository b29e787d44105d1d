import { setTimeout as sleep } from 'node:timers/promises';
import { PathpoolError } from '../library/client/error-response.ts';
import { ForeignAnswerError } from './pathpool-source.ts';
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
   * Waits before another attempt: longer each time, or as long as the server asks, 30 s at most.
   * Rethrows errors that would occur again, and ends early, with the reason of the signal, when
   * that is aborted.
   */
  async wait(error: unknown, signal: AbortSignal, notice: (message: string) => void): Promise<void> {
    signal.throwIfAborted();
    if (!mayPass(error)) throw error;
    const asked = error instanceof PathpoolError ? (error.problem.retryAfter ?? 0) * 1000 : 0;
    const milliseconds = Math.min(LONGEST_MS, Math.max(asked, this.#take()));
    notice(`${messageOf(error)}; trying again in ${(milliseconds / 1000).toFixed(1)} s`);
    await sleep(milliseconds, undefined, { signal });
  }

  /** Waits before the whole work begins again: longer each time. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#take(), undefined, { signal });
  }

  #take(): number {
    const milliseconds = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(LONGEST_MS, this.#next * 2);
    return milliseconds;
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof TargetError || error instanceof ForeignAnswerError) return false;
  if (error instanceof PathpoolError) return error.status >= 500 || error.status === 429;
  return true;
}

/** `fetch` says what failed in the cause of its error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
