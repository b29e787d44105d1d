import type { GraphInfo } from '../snapshot/graph-table.ts';
import type { Precondition } from './transaction.ts';

/** Whether a precondition holds for a graph (RFC 9110 section 13.1); `info` is undefined when there is none. */
export function preconditionHolds(
  { match, noneMatch, unmodifiedSince }: Precondition,
  info: GraphInfo | undefined,
  stateOf: (sequence: number) => string,
): boolean {
  const state = info && stateOf(info.sequence);
  if (match !== undefined && !includes(match, state)) return false;
  if (noneMatch !== undefined && includes(noneMatch, state)) return false;
  if (unmodifiedSince === undefined || info === undefined) return true;
  return Math.floor(info.modified / 1000) * 1000 <= unmodifiedSince;
}

function includes(states: '*' | readonly string[], state: string | undefined): boolean {
  if (state === undefined) return false;
  return states === '*' || states.includes(state);
}
