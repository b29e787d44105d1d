/**
 * Effective changes: additions of quads that were absent, and removals of quads that were present;
 * no quad is in both. Rows of four term ids: subject, predicate, object, graph. Additions are in
 * the order of the payload, and their new terms have ids in that order.
 */
export interface Changes {
  readonly additions: Uint32Array;
  readonly removals: Uint32Array;
}

/** Whether nothing is added or removed. */
export function isEmpty(changes: Changes): boolean {
  return changes.additions.length === 0 && changes.removals.length === 0;
}

/** The changes of an operation that does nothing. */
export const noChanges: Changes = { additions: new Uint32Array(0), removals: new Uint32Array(0) };
