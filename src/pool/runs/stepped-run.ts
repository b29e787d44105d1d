import type { JobQueue } from '../scheduling/job-queue.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { WorkerSlot } from './run.ts';
import { type Run, type WorkerExit, workerExitError } from './run.ts';
import type { EvaluationSubmission, Submission } from './submission.ts';

/**
 * Jobs that one thread runs one after another. Each job is a step; those that are taken back leave
 * a gap.
 */
export abstract class SteppedRun<S extends Submission> implements Run {
  readonly queue: JobQueue<S>;
  readonly workerSlot: WorkerSlot;
  readonly started = monotonicMs();
  readonly size: number;
  charged = 0;
  workerExit: WorkerExit | null = null;
  readonly #members: (S | null)[];

  constructor(members: S[], queue: JobQueue<S>, workerSlot: WorkerSlot) {
    this.#members = members;
    this.queue = queue;
    this.workerSlot = workerSlot;
    this.size = members.length;
    members.forEach((member, step) => {
      member.run = this;
      member.step = step;
    });
  }

  abstract stepMs(step: number): number;

  abstract complete(output: unknown): readonly EvaluationSubmission[];

  member(step: number): S | null {
    return this.#members[step] ?? null;
  }

  *members(): Generator<S> {
    for (const member of this.#members) if (member) yield member;
  }

  /** Takes back all jobs except the running one, so that none has to wait for it. */
  release(current: number): S[] {
    const released: S[] = [];
    for (let step = 0; step < this.size; step++) {
      const member = step === current ? null : this.take(step);
      if (!member) continue;
      member.requeued = monotonicMs();
      released.push(member);
    }
    return released;
  }

  /**
   * A step that exceeds its time is the culprit. Memory is different, since all steps share it: the
   * step that was running when it ran out must fail once more, alone, before it counts as the
   * culprit.
   */
  culpritOf(workerExit: WorkerExit, current: number): S | null {
    if (workerExit === 'demoted') return null;
    if (!isShared(workerExit)) return this.member(current);
    const [first, second] = this.members();
    return first && !second ? first : null;
  }

  abandon(workerExit: WorkerExit, current: number): S[] {
    const culpritOf = this.culpritOf(workerExit, current);
    const again: S[] = [];
    for (let step = 0; step < this.size; step++) {
      const member = this.take(step);
      if (!member) continue;
      if (member === culpritOf) member.fail(workerExitError(workerExit));
      else again.push(member);
      member.requeued = monotonicMs();
      member.alone ||= isShared(workerExit);
    }
    return again;
  }

  /** Returns null if the job was taken back before, or is settled. */
  protected take(step: number): S | null {
    const member = this.#members[step] ?? null;
    this.#members[step] = null;
    if (!member || member.settled) return null;
    member.run = null;
    return member;
  }
}

/** Whether any of the steps may have caused the exit, not only the current one. */
function isShared(workerExit: WorkerExit): boolean {
  return workerExit === 'heap' || workerExit === 'crash';
}
