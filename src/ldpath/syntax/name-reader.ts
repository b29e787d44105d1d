import { iriError } from '../../rdf/model/iri.ts';
import { formatLiteral, XSD, XSD_STRING } from '../../rdf/model/term.ts';
import type { Token } from './lexer.ts';
import { didYouMean } from './suggestion.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads and resolves IRIs, prefixed names and literals (ldpath 1.4, Q-L4, Q-L5, Q-P18). */
export class NameReader {
  /** The prefixes that were used, for warnings. */
  readonly usedPrefixes = new Set<string>();
  readonly #cursor: TokenCursor;
  readonly #prefixes: Map<string, string>;

  constructor(cursor: TokenCursor, prefixes: Readonly<Record<string, string>>) {
    this.#cursor = cursor;
    this.#prefixes = new Map(Object.entries(prefixes));
  }

  declare(prefix: string, namespace: string): void {
    this.#prefixes.set(prefix, namespace);
  }

  /** Returns the full IRI, or null if the next tokens are neither an IRI nor a prefixed name. */
  iri(expected = 'an IRI'): string | null {
    const token = this.#cursor.peek();
    if (token.kind === 'iri') return this.#iriReference(token);
    const prefixed = token.kind === ':' || (token.kind === 'name' && this.#cursor.peek(1).kind === ':');
    return prefixed ? this.#prefixedName() : this.#cursor.expect(expected);
  }

  /**
   * Returns the canonical N-Triples of a string, number or boolean; null if the next token is none
   * of these.
   */
  literal(): string | null {
    const token = this.#cursor.peek();
    if (token.kind === 'string') return this.#string(token);
    const number = this.#number();
    if (number !== null) return number;
    if (token.kind === 'name' && (token.value === 'true' || token.value === 'false')) {
      this.#cursor.index++;
      return formatLiteral(token.value, `${XSD}boolean`, '');
    }
    return this.#cursor.expect('a literal');
  }

  #iriReference(token: Token): string {
    this.#cursor.index++;
    return this.#checked(token.value, token);
  }

  #prefixedName(): string {
    const first = this.#cursor.peek();
    const prefix = first.kind === ':' ? '' : first.value;
    if (prefix !== '') this.#cursor.index++;
    this.#cursor.index++;
    const namespace = this.#prefixes.get(prefix);
    if (namespace === undefined) throw this.#unknownPrefix(prefix, first);
    this.usedPrefixes.add(prefix);
    return this.#checked(namespace + this.#localName(), first);
  }

  #checked(iri: string, { start }: Token): string {
    const error = iriError(iri);
    if (error !== undefined) throw this.#cursor.source.error('parse-error', error, start);
    return iri;
  }

  #localName(): string {
    const token = this.#cursor.peek();
    const keyword = (token.kind === 'is' || token.kind === 'is-a') && this.#cursor.touches();
    if (token.kind !== 'name' && !keyword) return '';
    this.#cursor.index++;
    return token.value.replace(/\\(.)/g, '$1');
  }

  #unknownPrefix(prefix: string, token: Token) {
    const hint = didYouMean(prefix, this.#prefixes.keys());
    return this.#cursor.source.error(
      'unknown-prefix',
      `The prefix "${prefix}" is not declared${hint}`,
      token.start,
    );
  }

  #string(token: Token): string | null {
    this.#cursor.index++;
    if (this.#cursor.at('@')) return this.#languageString(token);
    if (!this.#cursor.at('^^')) return formatLiteral(token.value, XSD_STRING, '');
    this.#cursor.index++;
    const datatype = this.iri('a datatype');
    return datatype === null ? null : formatLiteral(token.value, datatype, '');
  }

  #languageString(token: Token): string | null {
    this.#cursor.index++;
    if (!wellFormedTag.test(this.#cursor.peek().value)) return this.#cursor.expect('a language tag');
    const tag = this.languageTag();
    return tag === null ? null : formatLiteral(token.value, XSD_STRING, tag);
  }

  /** Reads a language after `@`. `is` is also a language (Icelandic). */
  languageTag(): string | null {
    const token = this.#cursor.peek();
    if (token.kind !== 'name' && token.kind !== 'is') return this.#cursor.expect('a language');
    this.#cursor.index++;
    return token.value;
  }

  /** Reads a Turtle numeral, optionally with a sign directly before it. */
  #number(): string | null {
    const first = this.#cursor.peek();
    const signed = first.kind === '-' || first.kind === '+';
    const digits = this.#cursor.peek(signed ? 1 : 0);
    if (digits.kind !== 'name' || (signed && !this.#cursor.touches(1))) return null;
    const type = numeralTypes.find(([pattern]) => pattern.test(digits.value))?.[1];
    if (type === undefined) return null;
    this.#cursor.index += signed ? 2 : 1;
    return formatLiteral((signed ? first.value : '') + digits.value, XSD + type, '');
  }
}

const wellFormedTag = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;

const numeralTypes: readonly (readonly [RegExp, string])[] = [
  [/^[0-9]+$/, 'integer'],
  [/^[0-9]+\.[0-9]+$/, 'decimal'],
  [/^[0-9]+(\.[0-9]*)?[eE][+-]?[0-9]+$/, 'double'],
];
