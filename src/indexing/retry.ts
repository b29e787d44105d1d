import { Backoff, mayPass, pause } from '../library/client/backoff.ts';
import { ForeignAnswerError } from './pathpool-source.ts';
import { TargetError } from './targets/target.ts';

/** Waits after errors that may pass. */
export class Retry {
  readonly #backoff = new Backoff();

  /** Call it after progress: the next error is the first one again. */
  reset(): void {
    this.#backoff.reset();
  }

  /**
   * Waits before another attempt. Rethrows errors that would occur again, and ends early, with the
   * reason of the signal, when that is aborted.
   */
  async wait(error: unknown, signal: AbortSignal, notice: (message: string) => void): Promise<void> {
    signal.throwIfAborted();
    if (error instanceof TargetError || error instanceof ForeignAnswerError || !mayPass(error)) throw error;
    const milliseconds = this.#backoff.next(error);
    notice(`${messageOf(error)}; trying again in ${(milliseconds / 1000).toFixed(1)} s`);
    await pause(milliseconds, signal);
  }

  /** Waits before the whole work begins again: longer each time. */
  async pause(signal: AbortSignal): Promise<void> {
    await pause(this.#backoff.next(undefined), signal);
  }
}

/** `fetch` says what failed in the cause of its error. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
