/**
 * What must hold of something with a state (of entity tags) when the transaction's turn comes (RFC 9110 section 13). All
 * of the given members must hold.
 */
export interface Condition {
  /** `*`: it exists; else its state is one of these. */
  readonly match?: '*' | readonly string[];
  /** `*`: it does not exist; else its state is none of these. */
  readonly noneMatch?: '*' | readonly string[];
  /** Milliseconds since 1970: it was not changed after the end of this second. */
  readonly unmodifiedSince?: number;
}
