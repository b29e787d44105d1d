/** The outcome of one test. */
export interface Outcome {
  readonly test: string;
  /** `value`: right but for the spelling of numbers. */
  readonly status: 'pass' | 'value' | 'fail';
  /** Why the test failed; empty if it passed. */
  readonly message: string;
}

export function passed(test: string): Outcome {
  return { test, status: 'pass', message: '' };
}

export function failed(test: string, message: string): Outcome {
  return { test, status: 'fail', message };
}

/** Runs a test, and counts an exception as a failure. */
export async function outcomeOf(test: string, run: () => Promise<Outcome>): Promise<Outcome> {
  return run().catch((error: Error) => failed(test, error.message));
}
