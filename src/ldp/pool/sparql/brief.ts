import { isOnData, type UpdateOperation } from '../../../sparql/language/update/operations.ts';

/** The most solutions and quads if a result is expected within milliseconds. */
const FEW = 20_000;
/** The cost of starting a pattern, in solutions that could be visited in the same time. */
const PATTERN = 100;

/**
 * Whether operations on this many triples certainly finish within milliseconds. That is known only
 * of plain triple patterns: each multiplies the solutions by at most the number of triples, and
 * each solution makes all quads of the templates.
 */
export function isBrief(operations: readonly UpdateOperation[], triples: number): boolean {
  let looks = 0;
  for (const operation of operations) {
    if (isOnData(operation)) continue;
    const { triplePatterns, removals, additions } = operation;
    if (triplePatterns === undefined) return false;
    const solutions = (triples + 1) ** triplePatterns;
    looks += PATTERN + solutions * (1 + removals.length + additions.length);
    if (looks > FEW) return false;
  }
  return true;
}
