import type { SparqlToken } from '../token.ts';
import { isWord } from './splice.ts';

/** Evaluates another query on the data that a query sees. Returns TSV. */
export type Evaluate = (query: string) => string;

const forms = ['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE'];

/** Returns a query with the prefixes, the base and the graphs that another query declares. */
export function questionFor(
  text: string,
  tokens: readonly SparqlToken[],
  form: string,
  pattern: string,
): string {
  const begin = tokens.find((token) => forms.some((word) => isWord(token, word)));
  return `${text.slice(0, begin?.start ?? 0)} ${form} ${datasetOf(tokens)} { ${pattern} }`;
}

/** Returns the clauses `FROM <g>` and `FROM NAMED <g>`. */
function datasetOf(tokens: readonly SparqlToken[]): string {
  const clauses = tokens.flatMap((token, at) => {
    if (!isWord(token, 'FROM')) return [];
    const [first, second] = [tokens[at + 1], tokens[at + 2]];
    return [`FROM ${isWord(first, 'NAMED') ? `NAMED ${second?.text}` : first?.text}`];
  });
  return clauses.join(' ');
}

/** Returns the names of all named graphs, as `<iri>`. */
export function namedGraphs(text: string, tokens: readonly SparqlToken[], evaluate: Evaluate): string[] {
  const lines = evaluate(questionFor(text, tokens, 'SELECT ?g', 'GRAPH ?g {}')).split('\n');
  return lines.slice(1).filter((line) => line.startsWith('<'));
}
