import { isOnData, type UpdateOperation } from '../../../sparql/language/update/operations.ts';

/** Solutions and their quads, where an answer is expected within milliseconds. */
const FEW = 20_000;
/** As many as could be looked at in the time that it takes to begin with a pattern. */
const PATTERN = 100;

/**
 * Whether operations are sure to be worked out within milliseconds on that many triples. Only plain
 * triple patterns are: each of them can multiply the solutions by the number of triples at most,
 * and each solution makes all quads of the templates.
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
