import type { SparqlToken } from '../token.ts';
import { sparqlTokens } from '../tokens.ts';
import { type Evaluate, questionFor } from './seen-data.ts';
import { closingAt, endOf, isWord, type Splice, spliced } from './splice.ts';

/** A triple pattern with a path repeated by `*` or `?`, such as `:s :p* ?o`. */
interface ZeroPath {
  readonly start: number;
  readonly end: number;
  readonly subject: SparqlToken;
  readonly object: SparqlToken;
  readonly isInGraph: boolean;
}

/**
 * A path of length zero connects each term with itself, even a term in the query that the data do
 * not contain. Oxigraph does this only for terms of the data, so for other terms the pattern is
 * replaced by its single solution.
 */
export function withZeroPaths(text: string, evaluate: Evaluate): string {
  const tokens = sparqlTokens(text);
  const splices = zeroPaths(tokens).flatMap((path): Splice[] => {
    const { start, end, subject, object } = path;
    const constants = [subject, object].filter(isConstant);
    const isAbsent = constants.some((term) => {
      const question = questionFor(text, tokens, 'ASK', nodePattern(term.text, path.isInGraph));
      return evaluate(question).trim() === 'false';
    });
    return isAbsent ? [{ start, end, text: solution(subject, object) }] : [];
  });
  return spliced(text, splices);
}

function zeroPaths(tokens: readonly SparqlToken[]): ZeroPath[] {
  const paths: ZeroPath[] = [];
  let graphEnd = -1;
  for (let at = 0; at < tokens.length; at++) {
    if (at > graphEnd && isWord(tokens[at], 'GRAPH')) graphEnd = closingAt(tokens, at + 2) ?? -1;
    const path = zeroPathAt(tokens, at, at <= graphEnd);
    if (path) paths.push(path);
  }
  return paths;
}

/** Returns only a complete pattern, not one with `;` or `,`. */
function zeroPathAt(tokens: readonly SparqlToken[], at: number, isInGraph: boolean): ZeroPath | undefined {
  const subject = tokens[at]!;
  if (!isTerm(subject) || !['{', '}', '.'].includes(tokens[at - 1]?.text ?? '')) return undefined;
  const mark = afterElement(tokens, at + 1);
  if (mark === undefined || !['*', '?'].includes(tokens[mark]?.text ?? '')) return undefined;
  const object = tokens[mark + 1];
  if (!object || !isTerm(object) || !(isConstant(subject) || isConstant(object))) return undefined;
  const next = tokens[mark + 2];
  if (next?.kind !== 'word' && !['{', '}', '.'].includes(next?.text ?? '')) return undefined;
  return { start: subject.start, end: endOf(object), subject, object, isInGraph };
}

/** Returns the index after a name, or after a path in parentheses. */
function afterElement(tokens: readonly SparqlToken[], begin: number): number | undefined {
  let at = begin;
  while (['^', '!'].includes(tokens[at]?.text ?? '')) at++;
  const token = tokens[at];
  if (!token) return undefined;
  if (isConstant(token) || token.text === 'a') return at + 1;
  const close = token.text === '(' ? closingAt(tokens, at) : undefined;
  return close === undefined ? undefined : close + 1;
}

function isTerm(token: SparqlToken): boolean {
  return token.kind === 'variable' || isConstant(token);
}

function isConstant({ kind }: SparqlToken): boolean {
  return kind === 'iri' || kind === 'name';
}

function solution(subject: SparqlToken, object: SparqlToken): string {
  if (subject.kind === 'variable') return `VALUES ${subject.text} { ${object.text} }`;
  if (object.kind === 'variable') return `VALUES ${object.text} { ${subject.text} }`;
  return `FILTER(sameTerm(${subject.text}, ${object.text}))`;
}

/** Returns a pattern that matches only for terms of the data. */
function nodePattern(term: string, isInGraph: boolean): string {
  const triples = `{ ${term} ?p ?o } UNION { ?s ?p ${term} }`;
  return isInGraph ? `GRAPH ?g { ${triples} }` : triples;
}
