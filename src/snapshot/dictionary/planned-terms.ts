import type { TermId } from '../../rdf/model/term-id.ts';

/**
 * The operations of a dictionary that planning needs: looking terms up by their canonical form, and
 * adding new ones.
 */
export interface PlanDictionary {
  /** Returns 0 if the term is not there. */
  find(bytes: Uint8Array, from: number, to: number): TermId;
  findText(text: string): TermId;
  /** Returns the id of a term; adds the term if necessary. */
  intern(bytes: Uint8Array, from: number, to: number): TermId;
  internText(text: string): TermId;
}
