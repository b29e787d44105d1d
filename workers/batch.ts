import { type Result, toErrorData } from '../src/errors.ts';
import type { EvaluateJob, EvaluateOutput, Evaluation } from '../src/pool/messages.ts';
import type { TaskBoard } from '../src/pool/task-board.ts';

/** Evaluates one, as JSON. Throws errors with a code. `shouldStop` is to be asked now and then. */
export type Evaluate = (evaluation: Evaluation, shouldStop: () => boolean) => Uint8Array;

/** Runs the evaluations of a batch one after another, passing over those that were cancelled meanwhile. */
export function runBatch(job: EvaluateJob, board: TaskBoard, evaluate: Evaluate): EvaluateOutput {
  const started = performance.now();
  const answers: Uint8Array[] = [];
  let end = 0;
  const results = job.evaluations.map((evaluation, step): Result<number> => {
    const shouldStop = () => board.cancelled(job.slot, step);
    if (shouldStop()) return cancelled;
    board.begin(job.slot, step);
    try {
      const answer = evaluate(evaluation, shouldStop);
      answers.push(answer);
      end += answer.length;
      return { ok: true, value: end };
    } catch (error) {
      return { ok: false, error: toErrorData(error) };
    }
  });
  board.end(job.slot, performance.now() - started);
  return { bytes: concat(answers, end), results };
}

const cancelled: Result<never> = {
  ok: false,
  error: { code: 'cancelled', message: 'The evaluation was cancelled.', details: {} },
};

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
