import { runInNewContext } from 'node:vm';

/** Bad complexity takes hours for what tests hand in, good one a moment. */
const PATIENCE_MS = 60_000;

/**
 * Does work that never gives a turn, so that the `timeout` of a test could not stop it. What does not end is stopped, and the
 * test fails.
 */
export function ending<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: PATIENCE_MS }) as T;
}
