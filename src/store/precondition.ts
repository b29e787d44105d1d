import type { Condition } from './condition.ts';

/** What a condition is held against. */
export interface CurrentState {
  /** The `<state>` of its entity tags. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Whether a condition holds (RFC 9110 section 13.1); `current` is undefined for what does not exist. */
export function conditionHolds(
  { match, noneMatch, unmodifiedSince }: Condition,
  current: CurrentState | undefined,
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
