import type { Precondition } from '../../base/precondition.ts';

/** One change of the stored programs. `program`: the name of one. */
export type ProgramOperation =
  /**
   * Stores a program under a name, in place of the earlier one. `definition`: its text and what
   * belongs to it, as the service writes it. An equal definition changes nothing.
   */
  | { readonly kind: 'store-program'; readonly program: string; readonly definition: string }
  | { readonly kind: 'remove-program'; readonly program: string };

/** A precondition on a stored program. It is checked when the transaction's turn comes. */
export interface ProgramPrecondition extends Precondition {
  readonly program: string;
}
