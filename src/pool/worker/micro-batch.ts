import { toErrorData } from '../../errors.ts';
import { ResultWriter } from '../../ldpath/evaluate/result-writer.ts';
import type { Evaluation } from '../evaluation-request.ts';
import type { EvaluateJob, EvaluateOutput, EvaluationError } from '../messages.ts';
import { unpackEvaluations } from '../runs/evaluation-pack.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';

/** Appends the JSON of one result. Throws errors with a code, and then leaves `out` unchanged. */
export type WriteResult = (evaluation: Evaluation, out: ResultWriter) => void;

/** A buffer that has grown beyond this size for a huge result is not kept, in bytes. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Runs the evaluations of a micro-batch one after another, and skips those that were cancelled
 * meanwhile.
 */
export class MicroBatchRunner {
  readonly #step: CurrentStep;
  readonly #maxBytes: number;
  #out: ResultWriter;

  /**
   * `maxBytes` limits each result. A micro-batch has few large ones, since evaluations that take
   * long run alone.
   */
  constructor(step: CurrentStep, maxBytes: number) {
    this.#step = step;
    this.#maxBytes = maxBytes;
    this.#out = new ResultWriter(maxBytes);
  }

  run(job: EvaluateJob, write: WriteResult): EvaluateOutput {
    const started = performance.now();
    const evaluations = unpackEvaluations(job.evaluations);
    const ends = new Uint32Array(evaluations.length);
    const errors: EvaluationError[] = [];
    for (const [step, evaluation] of evaluations.entries()) {
      try {
        if (!this.#step.begin(job.slot, step)) throw cancelledError();
        this.#out.beginResult();
        write(evaluation, this.#out);
      } catch (error) {
        errors.push({ step, error: toErrorData(error) });
      }
      ends[step] = this.#out.length;
    }
    const bytes = this.#take();
    this.#step.end(performance.now() - started);
    return { bytes, ends, errors };
  }

  #take(): Uint8Array {
    const bytes = this.#out.slice();
    if (this.#out.bytes.length > KEPT_BYTES) this.#out = new ResultWriter(this.#maxBytes);
    else this.#out.clear();
    return bytes;
  }
}
