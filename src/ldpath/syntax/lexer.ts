/**
 * Splits text into tokens (ldpath 1.2, 1.3, 8.2). The longest match wins; fixed words take
 * precedence over names. A lexical error becomes an `error` token that ends the list: no rule of
 * the grammar accepts it, so it is reported only if the parser gets that far, and an earlier syntax
 * error takes precedence.
 */
import type { LdPathError } from '../errors.ts';
import type { SourceText } from './source-text.ts';

export type TokenKind =
  | 'name'
  | 'iri'
  | 'string'
  | 'end'
  | 'error'
  | 'is'
  | 'is-a'
  | 'fn:'
  | Directive
  | Operator;

type Directive = '@prefix' | '@graph' | '@filter' | '@boost';

type Operator =
  | (
      | '.'
      | '&'
      | '|'
      | '/'
      | '+'
      | '-'
      | '*'
      | '!'
      | '?'
      | '~'
      | '^'
      | '^^'
      | '@'
      | '='
      | ':'
      | '::'
      | ','
      | ';'
    )
  | ('(' | ')' | '[' | ']' | '{' | '}');

export interface Token {
  readonly kind: TokenKind;
  /** The decoded content of a string or an IRI; otherwise the text as written. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Lexed {
  readonly tokens: readonly Token[];
  /** The error of the `error` token. */
  readonly error?: LdPathError;
  /** Offset of an unterminated comment (Q-L2); the tokens end there. */
  readonly unclosedComment?: number;
}

const nameStart =
  'A-Za-z0-9_\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const nameRest = `${nameStart}\\-.'\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;
const nameEscape = "%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=\\/?#@%]";

const space = /[\s\u0085]+/y;
const lineComment = /#[^\r\n]*/y;
const name = new RegExp(`(?:[${nameStart}]|${nameEscape})(?:[${nameRest}]|${nameEscape})*`, 'uy');
/** The only form of a number that is not also a name. */
const numberWithPlus = /[0-9]+(?:\.[0-9]*)?[eE]\+[0-9]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what an IRI must not hold
const iri = /<((?:[^\u0000-\u0020<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})+)>/y;
const rawString = /"([^"\r\n]*)"/y;
const quotedString = /'''((?:'{0,2}(?:[^'\\]|\\[\s\S]))*)'''|'((?:[^'\\\r\n]|\\[^\r\n])*)'/y;
const operator = /@prefix|@graph|@filter|@boost|\^\^|::|[.&|/+\-*!?~^@=:,;()[\]{}]/y;

export function tokenize(source: SourceText): Lexed {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #error: LdPathError | undefined;
  #unclosedComment: number | undefined;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
  }

  run(): Lexed {
    while (this.#skipBlanks()) this.#readToken();
    if (this.#error === undefined) this.#push('end', '', this.#text.length);
    return {
      tokens: this.#tokens,
      ...(this.#error !== undefined && { error: this.#error }),
      ...(this.#unclosedComment !== undefined && { unclosedComment: this.#unclosedComment }),
    };
  }

  /** Skips blanks and comments. Returns false at the end of the tokens. */
  #skipBlanks(): boolean {
    for (;;) {
      const match = this.#match(space) ?? this.#match(lineComment);
      if (match !== null) this.#at += match[0].length;
      else if (this.#text.startsWith('/*', this.#at)) this.#skipComment();
      else return this.#at < this.#text.length && this.#error === undefined;
    }
  }

  #skipComment(): void {
    const close = this.#text.indexOf('*/', this.#at + 2);
    if (close < 0) this.#unclosedComment = this.#at;
    this.#at = close < 0 ? this.#text.length : close + 2;
  }

  #readToken(): void {
    switch (this.#text[this.#at]) {
      case '<':
        this.#readIri();
        break;
      case '"':
        this.#readRawString();
        break;
      case "'":
        this.#readQuotedString();
        break;
      default:
        this.#readWord();
    }
  }

  #readIri(): void {
    const match = this.#match(iri);
    const value = match === null ? null : decodeEscapes(match[1]!);
    if (value !== null) this.#push('iri', value, this.#at + match![0].length);
    else this.#fail('This is not an IRI: it is not closed by ">", or contains a forbidden character');
  }

  #readRawString(): void {
    const match = this.#match(rawString);
    if (match !== null) this.#push('string', match[1]!, this.#at + match[0].length);
    else this.#fail('This string is not closed on its line');
  }

  #readQuotedString(): void {
    const match = this.#match(quotedString);
    const value = match === null ? null : decodeEscapes(match[1] ?? match[2]!);
    if (value !== null) this.#push('string', value, this.#at + match![0].length);
    else this.#fail('This string is not closed, or contains an unknown escape sequence');
  }

  #readWord(): void {
    const afterColon = this.#tokens.at(-1)?.kind === ':';
    const word = (afterColon ? null : this.#match(numberWithPlus)) ?? this.#match(name);
    if (word === null) this.#readOperator();
    else this.#pushWord(word[0]);
  }

  #readOperator(): void {
    const match = this.#match(operator);
    if (match === null) this.#fail(`The character ${this.#character()} is not allowed here`);
    else this.#push(match[0] as Operator | Directive, match[0], this.#at + match[0].length);
  }

  #pushWord(word: string): void {
    const end = this.#at + word.length;
    if (word === 'is' || word === 'is-a') this.#push(word, word, end);
    else if (word === 'fn' && this.#text[end] === ':') this.#push('fn:', 'fn:', end + 1);
    else this.#push('name', word, end);
  }

  #character(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!);
    return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
      ? `"${character}"`
      : `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #push(kind: TokenKind, value: string, end: number): void {
    this.#tokens.push({ kind, value, start: this.#at, end });
    this.#at = end;
  }

  #fail(message: string): void {
    this.#error = this.#source.error('parse-error', message, this.#at);
    this.#push('error', '', this.#text.length);
  }
}

const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** Decodes Turtle's escape sequences; returns null for an unknown one. */
function decodeEscapes(text: string): string | null {
  if (!text.includes('\\')) return text;
  let ok = true;
  const decoded = text.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([\s\S]))/g,
    (_, short, long, single) => {
      if (single !== undefined) {
        ok &&= single in escapes;
        return escapes[single] ?? '';
      }
      const codePoint = Number.parseInt(short ?? long, 16);
      ok &&= codePoint <= 0x10ffff;
      return ok ? String.fromCodePoint(codePoint) : '';
    },
  );
  return ok ? decoded : null;
}
