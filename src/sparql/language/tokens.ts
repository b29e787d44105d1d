import { Brackets } from './brackets.ts';
import { withoutFinalDots } from './final-dots.ts';

/** A piece of a SPARQL text. `word`: a keyword or the name of a function. */
export interface SparqlToken {
  readonly kind: 'iri' | 'name' | 'variable' | 'label' | 'string' | 'number' | 'language' | 'word' | 'symbol';
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
}

const escapedIri = String.raw`<(?:[^\u0000-\u0020<>"{}|^\x60\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>`;

type Pattern = readonly [SparqlToken['kind'], RegExp];

const iri: Pattern = ['iri', new RegExp(escapedIri, 'uy')];
const variable: Pattern = ['variable', /[?$][\p{L}\p{N}_][\p{L}\p{M}\p{N}_·]*/uy];
const label: Pattern = ['label', /_:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.·-]*/uy];
const language: Pattern = ['language', /@[A-Za-z]+(?:-[A-Za-z0-9-]+)*/y];
const name: Pattern = [
  'name',
  /(?:\p{L}[\p{L}\p{M}\p{N}_.·-]*)?:(?:[\p{L}\p{M}\p{N}_:.·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])*/uy,
];
/** Without its colon. */
const prefix = /\p{L}[\p{L}\p{M}\p{N}_.·-]*/uy;
const number: Pattern = ['number', /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+/y];
const word: Pattern = ['word', /[A-Za-z][A-Za-z0-9_]*/y];
const symbol: Pattern = ['symbol', /./suy];

/**
 * What a token may be, in the order in which it is tried, by its first character. Strings are found
 * by hand.
 */
function patternsFor(first: number, isNameless: boolean): readonly Pattern[] {
  if (first === 0x3c /* < */) return iris;
  if (first === 0x3f /* ? */ || first === 0x24 /* $ */) return variables;
  if (first === 0x5f /* _ */) return labels;
  if (first === 0x40 /* @ */) return languages;
  if (first === 0x2e /* . */ || (first >= 0x30 && first <= 0x39)) return numbers;
  if (first === 0x3a /* : */) return names;
  if (isAsciiLetter(first)) return isNameless ? plainWords : words;
  return first >= 0x80 && !isNameless ? names : symbols;
}

const symbols = [symbol];
const iris = [iri, symbol];
const variables = [variable, symbol];
const labels = [label, symbol];
const languages = [language, symbol];
const numbers = [number, symbol];
const names = [name, symbol];
const words = [name, word];
const plainWords = [word];

function mayBeginPrefix(code: number): boolean {
  return code >= 0x80 || isAsciiLetter(code);
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

const space = /\s*/y;
const comment = /#[^\r\n]*/y;

/**
 * Takes a SPARQL text apart, without white space and comments. What it gives is right for a text
 * that is SPARQL; other texts are split in some way. Where `<` could begin an IRI as well, it is
 * an operator behind an operand in an expression: `?a<?b&&?c>?d` compares twice. SPARQL sees an IRI
 * in that, and so no expression at all, but Oxigraph evaluates it.
 */
export function sparqlTokens(source: string): SparqlToken[] {
  return [...tokensOf(source)];
}

/** The same one by one, for texts of which there may be too many. */
export function* tokensOf(source: string): Generator<SparqlToken> {
  let at = afterSpace(source, 0);
  // Up to here no name begins: `a.b.c` without a colon is looked through once, not at each word.
  let nameless = 0;
  const brackets = new Brackets();
  while (at < source.length) {
    if (at >= nameless) nameless = endOfNameless(source, at);
    const compares = source[at] === '<' && brackets.comparesNext;
    const patterns = compares ? symbols : patternsFor(source.charCodeAt(at), at < nameless);
    const token = tokenAt(source, at, patterns);
    brackets.take(token);
    yield token;
    at = afterSpace(source, at + token.text.length);
  }
}

/**
 * Where the characters end that may be a prefix, when no colon follows them; else the place itself.
 */
function endOfNameless(source: string, start: number): number {
  if (!mayBeginPrefix(source.charCodeAt(start))) return start;
  prefix.lastIndex = start;
  const end = start + (prefix.exec(source)?.[0].length ?? 0);
  return source[end] === ':' ? start : end;
}

function tokenAt(source: string, start: number, patterns: readonly Pattern[]): SparqlToken {
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

/** Of both there may be megabytes, so no one expression goes through all of them. */
function afterSpace(source: string, start: number): number {
  let at = endOfMatch(space, source, start);
  while (source[at] === '#') at = endOfMatch(space, source, endOfMatch(comment, source, at));
  return at;
}

function endOfMatch(pattern: RegExp, source: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(source);
  return pattern.lastIndex;
}
