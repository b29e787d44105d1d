import { runInNewContext } from 'node:vm';

/** Bad complexity would take hours for the inputs of tests, and good complexity a moment. */
const PATIENCE_MS = 60_000;

/**
 * Runs work that never yields to the event loop, so the `timeout` of a test could not stop it.
 * Terminates work that does not end, and fails the test.
 */
export function ending<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: PATIENCE_MS }) as T;
}
