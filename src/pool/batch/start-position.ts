import type { TermId } from '../../rdf/model/term-id.ts';

/** A place in the order of a set's members, which is that of their term ids. */
export interface StartPosition {
  /** The generation of the dictionary in which the id is valid. */
  readonly generation: number;
  /** All members up to this one come before the position. */
  readonly id: TermId;
}
