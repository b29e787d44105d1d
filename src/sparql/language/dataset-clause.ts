import type { SparqlDataset } from '../request.ts';
import { isWord } from './corrections/splice.ts';
import { Prefixes } from './prefixes.ts';
import { sparqlTokens } from './tokens.ts';

/**
 * Returns the graphs that a query names with FROM and FROM NAMED. Undefined if it names none, or if
 * they can't be determined from its tokens because of escapes or an undeclared prefix.
 */
export function datasetClause(text: string, baseIri: string): SparqlDataset | undefined {
  if (/\\u/i.test(text)) return undefined;
  const tokens = sparqlTokens(text);
  const names = new Prefixes(baseIri);
  const defaultGraphs: string[] = [];
  const namedGraphs: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    names.read(tokens, at);
    if (!isWord(tokens[at], 'FROM')) continue;
    const isNamed = isWord(tokens[at + 1], 'NAMED');
    const graph = names.iri(tokens[at + (isNamed ? 2 : 1)]);
    if (graph === undefined) return undefined;
    (isNamed ? namedGraphs : defaultGraphs).push(graph);
  }
  return defaultGraphs.length + namedGraphs.length === 0 ? undefined : { defaultGraphs, namedGraphs };
}
