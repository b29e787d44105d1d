import type { Result } from '../../errors.ts';
import type { DocumentJob, DocumentsJob } from '../messages.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';
import { failure, outcome } from './transfer.ts';

/**
 * Reads or writes small documents one after another, and skips those that were cancelled meanwhile.
 */
export class DocumentRunner {
  readonly #step: CurrentStep;

  constructor(step: CurrentStep) {
    this.#step = step;
  }

  /** Returns the outcome of the job (`DocumentsOutput`). `read` throws errors with a code. */
  run(
    { documents, slot }: DocumentsJob,
    read: (document: DocumentJob) => unknown,
  ): Result<Result<unknown>[]> {
    const started = performance.now();
    const results: Result<unknown>[] = [];
    for (const [step, document] of documents.entries()) {
      try {
        if (!this.#step.begin(slot, step)) throw cancelledError();
        this.#step.report(0, 0);
        results.push(outcome(read(document)));
      } catch (error) {
        results.push(failure(error));
      }
    }
    this.#step.end(performance.now() - started);
    return outcome(results);
  }
}
