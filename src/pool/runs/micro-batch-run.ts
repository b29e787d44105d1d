import type { ErrorCode, Result } from '../../errors.ts';
import { isOnlyCompiled } from '../evaluation-request.ts';
import type { EvaluateOutput, EvaluationError } from '../messages.ts';
import type { JobQueue } from '../scheduling/job-queue.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { Stopwatch } from '../threads/times.ts';
import type { WorkerSlot } from './run.ts';
import { SteppedRun } from './stepped-run.ts';
import type { EvaluationSubmission } from './submission.ts';

const limits: ReadonlySet<ErrorCode> = new Set(['budget-exceeded', 'time-limit']);
const stops: ReadonlySet<ErrorCode> = new Set([...limits, 'cancelled']);
/** Errors about the start resource, which do not count against the program. */
const startErrors: ReadonlySet<ErrorCode> = new Set(['resource-not-found', 'bad-iri']);

interface MicroBatchOptions {
  /** Maximum time of one evaluation, in milliseconds. */
  readonly stepMs: number;
  /** Measures the thread time; null if it will not be needed. */
  readonly time: Stopwatch | null;
  /** Number of the last commit of the snapshot that is evaluated. */
  readonly sequence: number;
}

/** A micro-batch of evaluations on its thread. */
export class MicroBatchRun extends SteppedRun<EvaluationSubmission> {
  /** When the current evaluation was preempted, in `monotonicMs`; 0 for never. */
  demoted = 0;
  /** The thread time since the run began; null if it will not be needed. */
  readonly time: Stopwatch | null;
  readonly #stepMs: number;
  readonly #sequence: number;

  constructor(
    members: EvaluationSubmission[],
    queue: JobQueue<EvaluationSubmission>,
    workerSlot: WorkerSlot,
    { stepMs, time, sequence }: MicroBatchOptions,
  ) {
    super(members, queue, workerSlot);
    this.time = time;
    this.#stepMs = stepMs;
    this.#sequence = sequence;
  }

  stepMs(): number {
    return this.#stepMs;
  }

  /**
   * Whether no evaluation was stopped. The cost of a stopped one says nothing about the others,
   * even if most of them were stopped.
   */
  isTypical(output: unknown): boolean {
    const result = output as Result<EvaluateOutput>;
    return result.ok && !result.value.errors.some(({ error }) => stops.has(error.code));
  }

  /** Returns the evaluations that used up their budget. */
  exhausted(output: unknown): EvaluationSubmission[] {
    const result = output as Result<EvaluateOutput>;
    if (!result.ok) return [];
    const errors = result.value.errors.filter(({ error }) => limits.has(error.code));
    return errors.map(({ step }) => this.member(step)).filter((member) => member !== null);
  }

  /**
   * Returns the evaluations that completed, including those whose start resource was wrong, but
   * without those that were only compiled.
   */
  completed(output: unknown): EvaluationSubmission[] {
    const result = output as Result<EvaluateOutput>;
    if (!result.ok) return [];
    const failures = result.value.errors.filter(({ error }) => !startErrors.has(error.code));
    const failed = new Set(failures.map(({ step }) => step));
    return [...this.members()].filter(
      ({ step, evaluation }) => !failed.has(step) && !isOnlyCompiled(evaluation.resultKind),
    );
  }

  complete(output: unknown): EvaluationSubmission[] {
    const result = output as Result<EvaluateOutput>;
    if (!result.ok) {
      for (const member of this.members()) member.fail(result.error);
      return [];
    }
    const again = this.#failStopped(result.value.errors);
    this.#settle(result.value);
    return again;
  }

  /** Settles the evaluations that have an error; returns those that were preempted. */
  #failStopped(errors: readonly EvaluationError[]): EvaluationSubmission[] {
    const again: EvaluationSubmission[] = [];
    for (const { step, error } of errors) {
      if (error.code !== 'cancelled' || this.demoted === 0) this.member(step)?.fail(error);
      const member = this.take(step);
      if (!member) continue;
      member.requeued = monotonicMs();
      again.push(member);
    }
    return again;
  }

  #settle({ bytes, ends }: EvaluateOutput): void {
    let start = 0;
    for (let step = 0; step < this.size; step++) {
      const end = ends[step]!;
      this.member(step)?.settle({ ok: true, value: bytes.subarray(start, end), sequence: this.#sequence });
      start = end;
    }
  }
}
