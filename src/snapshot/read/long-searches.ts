import type { TermId } from '../../rdf/model/term-id.ts';

/** Results that are kept. */
const MAX_RESULTS = 1_024;

/**
 * Remembers what was found by searches that read many hidden quads, so that repeating one costs
 * nothing. Short ones are not kept, so they cannot displace the long ones.
 */
export class LongSearches {
  readonly #results = new Map<TermId, boolean>();

  /** `search`: begins the search for a term; it pauses if it is long. */
  result(term: TermId, search: (term: TermId) => Iterator<void, boolean>): boolean {
    const known = this.#results.get(term);
    if (known !== undefined) return known;
    const steps = search(term);
    let step = steps.next();
    if (step.done) return step.value;
    while (!step.done) step = steps.next();
    if (this.#results.size >= MAX_RESULTS) this.#results.clear();
    this.#results.set(term, step.value);
    return step.value;
  }
}
