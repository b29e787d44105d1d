import { isOnData, type UpdateOperation } from '../../../sparql/language/update/operations.ts';

/** The most solutions that may have to be visited when a result is expected within milliseconds. */
const FEW = 20_000;
/** The cost of starting a pattern, in solutions that could be visited in the same time. */
const PATTERN = 100;

/**
 * Whether operations on this many triples certainly finish within milliseconds. That is known only
 * of plain triple patterns: each multiplies the solutions by at most the number of triples.
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
