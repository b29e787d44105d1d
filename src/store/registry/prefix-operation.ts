import type { Precondition } from '../../base/precondition.ts';

/** A prefix and its namespace. */
export type PrefixPair = readonly [prefix: string, namespace: string];

/** One change of the stored prefixes. */
export type PrefixOperation =
  /** Binds a prefix to a namespace, in place of the earlier one. The same one changes nothing. */
  | { readonly kind: 'store-prefix'; readonly prefix: string; readonly namespace: string }
  | { readonly kind: 'remove-prefix'; readonly prefix: string }
  /** Stores those that are not stored yet, as far as there is room for them. */
  | { readonly kind: 'learn-prefixes'; readonly learned: readonly PrefixPair[] };

/** A precondition on a stored prefix. It is checked when the transaction's turn comes. */
export interface PrefixPrecondition extends Precondition {
  readonly prefix: string;
}
