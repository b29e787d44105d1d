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
  /** Up to here no name begins: `a.b.c` without a colon is looked through once, not at each word. */
  #nameless = 0;
  /** Up to here keywords and numbers stand without white space. */
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

  /** Sets the kind, too. */
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

  /** `end`: undefined for a character by itself. */
  #endAs(kind: Kind, end: number | undefined, start: number): number {
    this.#kind = end === undefined ? 'symbol' : kind;
    return end ?? start + (this.#source.codePointAt(start)! > 0xffff ? 2 : 1);
  }

  /** Of a name with a prefix, a keyword, or a letter that is neither. */
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

  /** Undefined where no word begins. */
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
