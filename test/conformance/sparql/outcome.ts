/** What one test found. */
export interface Outcome {
  readonly test: string;
  /** `value`: right but for the spelling of numbers. */
  readonly status: 'pass' | 'value' | 'fail';
  /** Why it failed; empty when it did not. */
  readonly message: string;
}

export function passed(test: string): Outcome {
  return { test, status: 'pass', message: '' };
}

export function failed(test: string, message: string): Outcome {
  return { test, status: 'fail', message };
}

/** A test that throws has failed. */
export async function outcomeOf(test: string, run: () => Promise<Outcome>): Promise<Outcome> {
  return run().catch((error: Error) => failed(test, error.message));
}
