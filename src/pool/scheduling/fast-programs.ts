import type { Selection } from '../evaluation-request.ts';
import { SelectionMap } from '../runs/selection-map.ts';
import type { Submission } from '../runs/submission.ts';
import { Offenders } from './offenders.ts';

/**
 * The recent results of programs and of the clients that sent them. A program may use all threads
 * once it has proved fast. A new program may never end, so it may use all but one.
 */
export class FastPrograms {
  readonly offenders: Offenders;
  readonly #fast = new SelectionMap<true>();

  constructor(penaltyMs: number) {
    this.offenders = new Offenders(penaltyMs);
  }

  mayHaveAllThreads(selection: Selection, applicant: Pick<Submission, 'client'>): boolean {
    if (this.#fast.get(selection) === undefined) return false;
    // Almost always there are no offenders, and it takes a while to identify the client.
    return !this.offenders.hasRecords || !this.offenders.isDistrusted(applicant.client);
  }

  /** Call it when the program has returned a result within the time for fast ones. */
  proved(selection: Selection): void {
    this.#fast.set(selection, true);
  }

  /** Call it when the program took so long that others had to wait, or when it was stopped. */
  disproved(selection: Selection): void {
    this.#fast.delete(selection);
  }
}
