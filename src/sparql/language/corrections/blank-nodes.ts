import type { SparqlToken } from '../token.ts';
import { sparqlTokens } from '../tokens.ts';
import { closingAt, endOf, isWord, type Splice, spliced } from './splice.ts';

/** A variable with a different value in each solution. */
const SCOPE = '?pathpool_solution';

/**
 * BNODE(text) returns the same node for the same text within a solution, and different nodes in
 * different solutions. Oxigraph uses the text as the label, so the node is the same in all
 * solutions, and may be a node of the data. This function makes the text different for each
 * solution if a SELECT without groups has the call among its columns.
 */
export function withScopedBlankNodes(text: string): string {
  const tokens = sparqlTokens(text);
  const splices = tokens.flatMap((token, at) => (isWord(token, 'SELECT') ? scoped(text, tokens, at) : []));
  return spliced(
    text,
    splices.sort((a, b) => a.start - b.start),
  );
}

function scoped(text: string, tokens: readonly SparqlToken[], select: number): Splice[] {
  const open = tokens.findIndex(({ text: symbol }, at) => at > select && symbol === '{');
  const calls = callsIn(tokens, select, open);
  const close = calls.length > 0 ? closingAt(tokens, open) : undefined;
  if (close === undefined || isWord(tokens[open + 1], 'SELECT') || isWord(tokens[close + 1], 'GROUP'))
    return [];
  const end = tokens[close]!.start;
  const bound = { start: end, end, text: ` BIND(STRUUID() AS ${SCOPE}) ` };
  return [...calls.map((call) => labelled(text, tokens, call)), bound];
}

/** Returns the positions of BNODE calls with an argument, except those within another one. */
function callsIn(tokens: readonly SparqlToken[], from: number, to: number): number[] {
  const calls: number[] = [];
  for (let at = from; at < to; at++) {
    if (!isWord(tokens[at], 'BNODE') || tokens[at + 2]?.text === ')') continue;
    calls.push(at);
    at = closingAt(tokens, at + 1) ?? to;
  }
  return calls;
}

function labelled(text: string, tokens: readonly SparqlToken[], call: number): Splice {
  const open = tokens[call + 1]!;
  const close = tokens[closingAt(tokens, call + 1) ?? call + 1]!;
  const argument = text.slice(endOf(open), close.start);
  return { start: endOf(open), end: close.start, text: `CONCAT(${argument}, ${SCOPE})` };
}
