import { withoutFinalDots } from './final-dots.ts';

/** A piece of a SPARQL text. `word`: a keyword or the name of a function. */
export interface SparqlToken {
  readonly kind: 'iri' | 'name' | 'variable' | 'label' | 'string' | 'number' | 'language' | 'word' | 'symbol';
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
}

const escapedIri = String.raw`<(?:[^\u0000-\u0020<>"{}|^\x60\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>`;

/** In the order in which they are tried. Strings are found by hand. */
const patterns: readonly (readonly [SparqlToken['kind'], RegExp])[] = [
  ['iri', new RegExp(escapedIri, 'uy')],
  ['variable', /[?$][\p{L}\p{N}_][\p{L}\p{M}\p{N}_·]*/uy],
  ['label', /_:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.·-]*/uy],
  ['language', /@[A-Za-z]+(?:-[A-Za-z0-9-]+)*/y],
  [
    'name',
    /(?:\p{L}[\p{L}\p{M}\p{N}_.·-]*)?:(?:[\p{L}\p{M}\p{N}_:.·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])*/uy,
  ],
  ['number', /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+/y],
  ['word', /[A-Za-z][A-Za-z0-9_]*/y],
  ['symbol', /./suy],
];
const space = /(?:\s|#[^\r\n]*)*/y;

/**
 * Takes a SPARQL text apart, without white space and comments. What it gives is right for a text that is SPARQL; what is
 * none is taken apart somehow. Where `<` could be an operator as well as begin an IRI it is taken for an IRI, which hides
 * no keyword of a graph pattern or an operation: those are followed by a brace or an IRI, which no IRI holds.
 */
export function sparqlTokens(source: string): SparqlToken[] {
  const tokens: SparqlToken[] = [];
  let at = afterSpace(source, 0);
  while (at < source.length) {
    const token = tokenAt(source, at);
    tokens.push(token);
    at = afterSpace(source, at + token.text.length);
  }
  return tokens;
}

function tokenAt(source: string, start: number): SparqlToken {
  const end = endOfString(source, start);
  if (end !== undefined) return { kind: 'string', text: source.slice(start, end), start };
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) continue;
    return { kind, text: kind === 'name' || kind === 'label' ? withoutFinalDots(text) : text, start };
  }
  throw new Error('No pattern matches.');
}

/** Where a string ends that begins at an offset; that of the text where it is not closed. */
function endOfString(source: string, start: number): number | undefined {
  const mark = source[start];
  if (mark !== '"' && mark !== "'") return undefined;
  const long = mark.repeat(3);
  const quote = source.startsWith(long, start) ? long : mark;
  for (let at = start + quote.length; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source.startsWith(quote, at)) return at + quote.length;
  }
  return source.length;
}

function afterSpace(source: string, at: number): number {
  space.lastIndex = at;
  space.exec(source);
  return space.lastIndex;
}
