import type { SparqlOperation, SparqlSegment } from './sparql-operations.ts';

/** Solutions that may be looked at, one way or another, where an answer is expected within milliseconds. */
const FEW = 20_000;

/**
 * Whether an update is sure to be worked out within milliseconds on that many triples. Only plain graph patterns are: each
 * of their triple patterns can multiply the solutions by the number of triples at most. What has keywords beyond them, or
 * paths, may take its time.
 */
export function isBrief(segments: readonly SparqlSegment[], triples: number): boolean {
  let solutions = 0;
  for (const { operations } of segments) {
    for (const operation of operations) {
      if (operation.form !== 'where') continue;
      const patterns = triplePatterns(operation);
      if (patterns === null) return false;
      solutions += (triples + 1) ** patterns;
      if (solutions > FEW) return false;
    }
  }
  return true;
}

const plainWords: ReadonlySet<string> = new Set(['A', 'TRUE', 'FALSE']);
const plainSymbols: ReadonlySet<string> = new Set(['{', '}', '.', ';', ',', '[', ']', '^']);

/** No fewer than there are behind WHERE; null where there is more than plain graph patterns. */
function triplePatterns({ tokens }: SparqlOperation): number | null {
  const where = tokens.findIndex(({ kind, text }) => kind === 'word' && text.toUpperCase() === 'WHERE');
  const pattern = tokens.slice(where + 1);
  let count = 0;
  for (const [index, { kind, text }] of pattern.entries()) {
    if (kind === 'word' && !plainWords.has(text.toUpperCase())) return null;
    if (kind !== 'symbol') continue;
    if (!plainSymbols.has(text)) return null;
    const next = pattern[index + 1]?.text;
    if ('{.;,['.includes(text) && next !== '}' && next !== '.' && next !== ']') count++;
  }
  return count;
}
