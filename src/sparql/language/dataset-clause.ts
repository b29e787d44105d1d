import { resolveIri } from '../../rdf/resolve-iri.ts';
import type { SparqlDataset } from '../request.ts';
import { isWord } from './corrections/splice.ts';
import { type SparqlToken, sparqlTokens } from './tokens.ts';

/**
 * The graphs that a query names by FROM and FROM NAMED. Undefined when it names none, and when they
 * can't be told from its tokens: with escapes, or a prefix that is not declared.
 */
export function datasetClause(text: string, baseIri: string): SparqlDataset | undefined {
  if (/\\u/i.test(text)) return undefined;
  const tokens = sparqlTokens(text);
  const names = new Names(baseIri);
  const defaultGraphs: string[] = [];
  const namedGraphs: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (isWord(tokens[at], 'BASE')) names.base = names.iri(tokens[at + 1]) ?? names.base;
    else if (isWord(tokens[at], 'PREFIX')) names.declare(tokens[at + 1], tokens[at + 2]);
    if (!isWord(tokens[at], 'FROM')) continue;
    const isNamed = isWord(tokens[at + 1], 'NAMED');
    const graph = names.iri(tokens[at + (isNamed ? 2 : 1)]);
    if (graph === undefined) return undefined;
    (isNamed ? namedGraphs : defaultGraphs).push(graph);
  }
  return defaultGraphs.length + namedGraphs.length === 0 ? undefined : { defaultGraphs, namedGraphs };
}

class Names {
  base: string;
  readonly #namespaces = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  /** `prefix`: with its colon. */
  declare(prefix: SparqlToken | undefined, namespace: SparqlToken | undefined): void {
    const iri = this.iri(namespace);
    if (prefix?.kind === 'name' && iri !== undefined) this.#namespaces.set(prefix.text, iri);
  }

  /** Absolute; undefined when the token is no name of anything. */
  iri(token: SparqlToken | undefined): string | undefined {
    if (token?.kind === 'iri') return resolveIri(token.text.slice(1, -1), this.base);
    if (token?.kind !== 'name') return undefined;
    const local = token.text.indexOf(':') + 1;
    const namespace = this.#namespaces.get(token.text.slice(0, local));
    return namespace === undefined ? undefined : namespace + token.text.slice(local).replaceAll('\\', '');
  }
}
