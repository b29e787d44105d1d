/**
 * Effective changes: quads that are added and were absent, quads that are removed and were present; none in
 * both. Rows of four term ids: subject, predicate, object, graph. Additions stand in the order of the payload,
 * and their terms have got their ids in that order.
 */
export interface Changes {
  readonly additions: Uint32Array;
  readonly removals: Uint32Array;
}

/** Whether nothing is added or removed. */
export function isEmpty(changes: Changes): boolean {
  return changes.additions.length === 0 && changes.removals.length === 0;
}

/** Of an operation that does nothing. */
export const noChanges: Changes = { additions: new Uint32Array(0), removals: new Uint32Array(0) };
