import type { ErrorCode, Result } from '../errors.ts';
import type { JobQueue } from './job-queue.ts';
import type { EvaluateOutput, EvaluationError } from './messages.ts';
import { type Death, deathError, type Run } from './run.ts';
import type { EvaluationSubmission } from './submission.ts';
import type { Seat } from './threads.ts';

const stops: ReadonlySet<ErrorCode> = new Set(['budget-exceeded', 'time-limit', 'cancelled']);

/** A batch of evaluations on its thread. Each is a step; those that are taken back leave a gap. */
export class BatchRun implements Run {
  readonly queue: JobQueue;
  readonly seat: Seat;
  readonly started: number;
  readonly stepMs: number;
  readonly size: number;
  charged = 0;
  death: Death | null = null;
  /** When its current evaluation was asked to make room, `monotonicMs`; 0 for never. */
  demoted = 0;
  readonly #members: (EvaluationSubmission | null)[];

  constructor(members: EvaluationSubmission[], queue: JobQueue, seat: Seat, started: number, stepMs: number) {
    this.#members = members;
    this.queue = queue;
    this.seat = seat;
    this.started = started;
    this.stepMs = stepMs;
    this.size = members.length;
    members.forEach((member, step) => {
      member.run = this;
      member.step = step;
    });
  }

  member(step: number): EvaluationSubmission | null {
    return this.#members[step] ?? null;
  }

  *members(): Generator<EvaluationSubmission> {
    for (const member of this.#members) if (member) yield member;
  }

  /** Takes back all but the evaluation that runs: nobody shall wait behind it. */
  release(current: number): EvaluationSubmission[] {
    const released: EvaluationSubmission[] = [];
    for (let step = 0; step < this.size; step++) {
      const member = step === current ? null : this.#take(step);
      if (member) released.push(member);
    }
    return released;
  }

  /** Whether no evaluation was stopped: what those cost says nothing of the others, though they may be most. */
  isTypical(output: unknown): boolean {
    const result = output as Result<EvaluateOutput>;
    return result.ok && !result.value.errors.some(({ error }) => stops.has(error.code));
  }

  complete(output: unknown): EvaluationSubmission[] {
    const result = output as Result<EvaluateOutput>;
    if (!result.ok) {
      for (const member of this.members()) member.fail(result.error);
      return [];
    }
    const again = this.#refuse(result.value.errors);
    this.#answer(result.value);
    return again;
  }

  /** Settles the evaluations that have an error; gives back those that made room. */
  #refuse(errors: readonly EvaluationError[]): EvaluationSubmission[] {
    const again: EvaluationSubmission[] = [];
    for (const { step, error } of errors) {
      if (error.code !== 'cancelled' || this.demoted === 0) this.#members[step]?.fail(error);
      const member = this.#take(step);
      if (member) again.push(member);
    }
    return again;
  }

  #answer({ bytes, ends }: EvaluateOutput): void {
    let start = 0;
    for (let step = 0; step < this.size; step++) {
      const end = ends[step]!;
      this.#members[step]?.settle({ ok: true, value: bytes.subarray(start, end) });
      start = end;
    }
  }

  /**
   * A step past its time is to blame for it. Memory is another matter, since all share it: what ran when it
   * was used up must fail once more, alone, before it is blamed.
   */
  guilty(death: Death, current: number): EvaluationSubmission | null {
    if (death === 'demoted') return null;
    if (!isShared(death)) return this.member(current);
    const [first, second] = this.members();
    return first && !second ? first : null;
  }

  abandon(death: Death, current: number): EvaluationSubmission[] {
    const guilty = this.guilty(death, current);
    const again: EvaluationSubmission[] = [];
    for (let step = 0; step < this.size; step++) {
      const member = this.#take(step);
      if (!member) continue;
      if (member === guilty) member.fail(deathError(death));
      else again.push(member);
      member.alone ||= isShared(death);
    }
    return again;
  }

  #take(step: number): EvaluationSubmission | null {
    const member = this.#members[step] ?? null;
    this.#members[step] = null;
    if (!member || member.settled) return null;
    member.run = null;
    return member;
  }
}

/** Whether the fault may lie with any step, not with the current one alone. */
function isShared(death: Death): boolean {
  return death === 'heap' || death === 'crash';
}
