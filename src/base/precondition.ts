/**
 * A precondition: what must hold for the state (of entity tags) of a stored object when the
 * transaction is executed (RFC 9110 section 13). All members that are present must hold.
 */
export interface Precondition {
  /** `*`: the object exists; otherwise its state is one of these. */
  readonly match?: '*' | readonly string[];
  /** `*`: the object must not exist; otherwise its state must not be in the list. */
  readonly noneMatch?: '*' | readonly string[];
  /** Milliseconds since 1970: the object was not changed after the end of this second. */
  readonly unmodifiedSince?: number;
}

/** The validators of a stored object, which preconditions are checked against. */
export interface Validators {
  /** The `<state>` of its entity tags. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Whether a precondition holds for the current validators; `current` is undefined if the object
 * does not exist.
 */
export function preconditionHolds(
  { match, noneMatch, unmodifiedSince }: Precondition,
  current: Validators | undefined,
): boolean {
  if (match !== undefined && !includes(match, current?.state)) return false;
  if (noneMatch !== undefined && includes(noneMatch, current?.state)) return false;
  if (unmodifiedSince === undefined || current === undefined) return true;
  return Math.floor(current.modified / 1000) * 1000 <= unmodifiedSince;
}

/**
 * Whether a precondition holds for an object with several representations, each with a state of its
 * own: a client may have seen any of them. `current` is empty if the object does not exist.
 */
export function preconditionHoldsForAll(
  { match, ...others }: Precondition,
  current: readonly Validators[],
): boolean {
  const matches = match === undefined || current.some((each) => preconditionHolds({ match }, each));
  return matches && current.every((each) => preconditionHolds(others, each));
}

function includes(states: '*' | readonly string[], state: string | undefined): boolean {
  if (state === undefined) return false;
  return states === '*' || states.includes(state);
}
