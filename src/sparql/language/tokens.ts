import { Brackets } from './brackets.ts';
import { endOfFirstKeyword, endOfKeyword } from './keywords.ts';
import {
  beginsPrefix,
  beginsWord,
  endOfIri,
  endOfLabel,
  endOfLanguage,
  endOfLocal,
  endOfNumber,
  endOfPrefix,
  endOfSpace,
  endOfString,
  endOfVariable,
  endOfWord,
  isDigit,
} from './terminals.ts';
import type { SparqlToken } from './token.ts';

/**
 * Splits a SPARQL text into tokens, without white space and comments. The result is correct for
 * valid SPARQL; other texts are split somehow. Where `<` could also begin an IRI, it is an operator
 * if it follows an operand in an expression: `?a<?b&&?c>?d` compares twice. By SPARQL's grammar
 * that would be an IRI and so not an expression, but Oxigraph evaluates it.
 */
export function sparqlTokens(source: string): SparqlToken[] {
  return [...tokensOf(source)];
}

/** Yields the same tokens one by one, for texts that may have too many of them. */
export function* tokensOf(source: string): Generator<SparqlToken> {
  const lexer = new Lexer(source);
  for (let token = lexer.next(); token; token = lexer.next()) yield token;
}

type Kind = SparqlToken['kind'];

const LESS = 0x3c;
const COLON = 0x3a;

class Lexer {
  readonly #source: string;
  readonly #brackets = new Brackets();
  #at: number;
  #kind: Kind = 'symbol';
  /**
   * No name begins before this offset: `a.b.c` without a colon is scanned once, not at each word.
   */
  #nameless = 0;
  /** Up to this offset, keywords and numbers follow each other without white space. */
  #glued = 0;

  constructor(source: string) {
    this.#source = source;
    this.#at = endOfSpace(source, 0);
  }

  next(): SparqlToken | undefined {
    const source = this.#source;
    const start = this.#at;
    if (start >= source.length) return undefined;
    const end = this.#endFrom(start);
    const token = { kind: this.#kind, text: source.slice(start, end), start };
    this.#brackets.take(token);
    this.#at = endOfSpace(source, end);
    return token;
  }

  /** Also sets the kind. */
  #endFrom(start: number): number {
    const source = this.#source;
    const code = source.charCodeAt(start);
    if (beginsPrefix(source, start)) return this.#endOfWord(start);
    if (isDigit(source, start)) return this.#endAs('number', endOfNumber(source, start), start);
    switch (code) {
      case LESS:
        return this.#endAs('iri', this.#brackets.comparesNext ? undefined : endOfIri(source, start), start);
      case 0x3f: // ?
      case 0x24: // $
        return this.#endAs('variable', endOfVariable(source, start), start);
      case 0x22: // "
      case 0x27: // '
        return this.#endAs('string', endOfString(source, start), start);
      case COLON:
        return this.#endAs('name', endOfLocal(source, start + 1), start);
      case 0x2e: // .
        return this.#endAs('number', endOfNumber(source, start), start);
      case 0x5f: // _
        return this.#endAs('label', endOfLabel(source, start), start);
      case 0x40: // @
        return this.#endAs('language', endOfLanguage(source, start), start);
      default:
        return this.#endAs('symbol', undefined, start);
    }
  }

  /** `end`: undefined for a single character. */
  #endAs(kind: Kind, end: number | undefined, start: number): number {
    this.#kind = end === undefined ? 'symbol' : kind;
    return end ?? start + (this.#source.codePointAt(start)! > 0xffff ? 2 : 1);
  }

  /** Returns the end of a name with a prefix, of a keyword, or of a single letter. */
  #endOfWord(start: number): number {
    const source = this.#source;
    if (start >= this.#nameless) {
      const end = endOfPrefix(source, start);
      if (source.charCodeAt(end) === COLON && source[end - 1] !== '.') {
        return this.#endAs('name', endOfLocal(source, end + 1), start);
      }
      this.#nameless = end;
    }
    return this.#endAs('word', this.#endOfKeyword(start), start);
  }

  /** Returns undefined if no word begins here. */
  #endOfKeyword(start: number): number | undefined {
    const source = this.#source;
    if (start < this.#glued) return endOfKeyword(source, start, this.#glued) ?? this.#glued;
    if (!beginsWord(source, start)) return undefined;
    const end = endOfWord(source, start);
    const first = endOfFirstKeyword(source, start, end);
    if (first < end) this.#glued = end;
    return first;
  }
}
