import type { Selection } from './messages.ts';
import { Offenders } from './offenders.ts';
import { SelectionMap } from './selection-map.ts';
import type { Submission } from './submission.ts';

/**
 * What came of the programs of the recent past, and of the clients who sent them: a program may have all threads once it has
 * proved quick. A program that never ran may never end, so it has all but one.
 */
export class Standing {
  readonly offenders: Offenders;
  readonly #quick = new SelectionMap<true>();

  constructor(penaltyMs: number) {
    this.offenders = new Offenders(penaltyMs);
  }

  mayHaveAllThreads(selection: Selection, applicant: Pick<Submission, 'client'>): boolean {
    if (this.#quick.get(selection) === undefined) return false;
    // Almost always there are no offenders, and it takes a while to find out who the client is.
    return !this.offenders.hasRecords || !this.offenders.isDistrusted(applicant.client);
  }

  /** It has just answered within the time of quick ones. */
  proved(selection: Selection): void {
    this.#quick.set(selection, true);
  }

  /** It took so long that others had to wait, or was stopped. */
  disproved(selection: Selection): void {
    this.#quick.delete(selection);
  }
}
