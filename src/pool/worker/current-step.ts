import { AppError } from '../../errors.ts';
import type { TaskBoard } from '../tasks/board.ts';

/** The step that this thread is working on, as the task board shows it (see `TaskBoard`). */
export class CurrentStep {
  readonly #board: TaskBoard;
  #slot = 0;
  #step = 0;

  constructor(board: TaskBoard) {
    this.#board = board;
  }

  /** Returns false if the step was cancelled before it began. */
  begin(slot: number, step: number): boolean {
    this.#slot = slot;
    this.#step = step;
    if (this.cancelled) return false;
    this.#board.begin(slot, step);
    return true;
  }

  get cancelled(): boolean {
    return this.#board.cancelled(this.#slot, this.#step);
  }

  /** Whether the thread was preempted. */
  get preempted(): boolean {
    return this.#board.preempted(this.#slot);
  }

  throwIfCancelled(): void {
    if (this.cancelled) throw cancelledError();
  }

  report(progress: number, total: number): void {
    this.#board.report(this.#slot, progress, total);
  }

  /** Call it when the job has ended and took `milliseconds` of this thread. */
  end(milliseconds: number): void {
    this.#board.end(this.#slot, milliseconds);
  }
}

export function cancelledError(): AppError {
  return new AppError('cancelled', 'The job was cancelled.');
}
