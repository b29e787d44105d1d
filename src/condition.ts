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

/** What a stored thing is known by when conditions are checked against it. */
export interface Validators {
  /** The `<state>` of its entity tags. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Whether a condition holds of what is there now; undefined for what does not exist. */
export function conditionHolds(
  { match, noneMatch, unmodifiedSince }: Condition,
  current: Validators | undefined,
): boolean {
  if (match !== undefined && !includes(match, current?.state)) return false;
  if (noneMatch !== undefined && includes(noneMatch, current?.state)) return false;
  if (unmodifiedSince === undefined || current === undefined) return true;
  return Math.floor(current.modified / 1000) * 1000 <= unmodifiedSince;
}

function includes(states: '*' | readonly string[], state: string | undefined): boolean {
  if (state === undefined) return false;
  return states === '*' || states.includes(state);
}
