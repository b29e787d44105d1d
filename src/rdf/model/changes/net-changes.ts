import type { TermId } from '../term-id.ts';

/**
 * How the data at an earlier commit differ from a present snapshot, however many commits are
 * between them. Rows of four ids of `ChangedTerms`: subject, predicate, object, graph. Quads of the
 * system graph are left out.
 */
export interface NetChanges extends ChangedTerms {
  /** Quads that are present, and were not before. */
  readonly added: Uint32Array;
  /** Quads that were present before and are not now, if the dictionary still has their terms. */
  readonly removed: Uint32Array;
  /**
   * Quads that were present before and were removed, perhaps to be added again, and that have a
   * term which the dictionary may have dropped meanwhile. In the earlier state, such a term may
   * have had another place in the order of ids, which nothing tells any more. So results that
   * depend on these quads cannot be compared. Those of them whose terms exist and that were not
   * added again are in `removed`, too.
   */
  readonly unsure: Uint32Array;
}

/**
 * The terms of two states. Ids are those of the present dictionary. A term that it has dropped
 * since gets a greater id, which only this object knows.
 */
export interface ChangedTerms {
  /** The greatest id in the present dictionary. */
  readonly termCount: number;
  /** Returns the id of a term in canonical N-Triples, also of a dropped one; 0 if it has none. */
  find(text: string): TermId;
  /** Returns the canonical N-Triples form, also of a dropped term. */
  text(id: TermId): string;
}
