import { isOnData, type UpdateOperation } from '../../../sparql/language/update/operations.ts';

/** Solutions that may be looked at, one way or another, where an answer is expected within milliseconds. */
const FEW = 20_000;
/** As many as could be looked at in the time that it takes to begin with a pattern. */
const PATTERN = 100;

/**
 * Whether operations are sure to be worked out within milliseconds on that many triples. Only plain
 * triple patterns are: each of them can multiply the solutions by the number of triples at most.
 */
export function isBrief(operations: readonly UpdateOperation[], triples: number): boolean {
  let solutions = 0;
  for (const operation of operations) {
    if (isOnData(operation)) continue;
    if (operation.triplePatterns === undefined) return false;
    solutions += PATTERN + (triples + 1) ** operation.triplePatterns;
    if (solutions > FEW) return false;
  }
  return true;
}
