import type { TermId } from '../graph/term-id.ts';

/**
 * What planning needs of a dictionary: to look terms up by their canonical form, and to add new
 * ones.
 */
export interface PlanDictionary {
  /** 0 for none. */
  find(bytes: Uint8Array, from: number, to: number): TermId;
  findText(text: string): TermId;
  /** The id of a term, new if need be. */
  intern(bytes: Uint8Array, from: number, to: number): TermId;
  internText(text: string): TermId;
}
