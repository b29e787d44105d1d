import { parseError } from '../../rdf/formats/errors.ts';
import { datatypeError, undoEscapes } from '../../rdf/formats/nquads/canonical-term.ts';
import type { Position } from '../../rdf/formats/position.ts';
import { resolveIri } from '../../rdf/formats/resolve-iri.ts';
import { UnfoldingBudget } from '../../rdf/formats/unfolding-budget.ts';
import { iriError, shorten } from '../../rdf/model/iri.ts';
import { formatLiteral, formatTerm, iri, XSD_STRING } from '../../rdf/model/term.ts';
import { withoutFinalDots } from '../../sparql/language/final-dots.ts';

const space = /(?:[ \t\r\n]|#[^\r\n]*)*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an IRI can't contain them
const iriReference = /<([^\u0000-\u0020<>"{}|^`]*)>/y;
const prefixLabel = /((?:\p{L}[\p{L}\p{M}\p{N}_.·-]*)?):/uy;
const localName = /(?:[\p{L}\p{M}\p{N}_:.·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])*/uy;
const nameCharacter = /[\p{L}\p{N}_]/u;
const blankNodeLabel = /_:([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.·-]*)/uy;
const languageTag = /@([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?![A-Za-z0-9-])/y;

/**
 * Reads terms in the subset of Turtle's syntax that `application/rdf-patch` uses (http-api L-71).
 */
export class RdfPatchReader {
  readonly #text: string;
  readonly #base: string;
  readonly #prefixes = new Map<string, string>();
  readonly #budget: UnfoldingBudget;
  #at = 0;

  constructor(text: string, base: string, brief: boolean) {
    this.#text = text;
    this.#base = base;
    this.#budget = new UnfoldingBudget(text.length, brief);
  }

  /** Skips white space and comments; returns true at the end of the text. */
  skipSpace(): boolean {
    this.#match(space);
    return this.#at === this.#text.length;
  }

  /** Skips a word if it is next and is not only the start of a longer name. */
  takeWord(word: string): boolean {
    const start = this.#at;
    if (!this.#text.startsWith(word, start)) return false;
    const isPrefix = this.#match(prefixLabel) !== null;
    this.#at = start + word.length;
    if (!isPrefix && !nameCharacter.test(this.#text.charAt(this.#at))) return true;
    this.#at = start;
    return false;
  }

  expect(text: string, description: string): void {
    this.skipSpace();
    if (!this.#text.startsWith(text, this.#at)) throw this.error(`Expected ${description}`);
    this.#at += text.length;
  }

  /** Reads `p: <iri>` after the keyword. */
  prefix(): void {
    this.skipSpace();
    const label = this.#match(prefixLabel);
    if (!label) throw this.error('Expected a prefix and a colon');
    this.skipSpace();
    const value = this.#iriReference();
    if (value === undefined) throw this.error('Expected an IRI in angle brackets');
    this.#prefixes.set(label[1]!, value);
  }

  /** This method and the next ones return canonical forms; undefined if something else is next. */
  iri(): string | undefined {
    const value = this.#iriReference() ?? this.#prefixedName();
    return value === undefined ? undefined : formatTerm(iri(value));
  }

  /** As written in the text, without `_:`. */
  blankNode(): string | undefined {
    const label = this.#match(blankNodeLabel)?.[1];
    return label === undefined ? undefined : this.#withoutDots(label);
  }

  literal(): string | undefined {
    const start = this.#at;
    if (this.#text[start] !== '"') return undefined;
    const value = undoEscapes(this.#string(), true);
    if (value === undefined) throw this.error('Malformed escape in a string', start);
    const language = this.#match(languageTag)?.[1];
    if (language !== undefined) return formatLiteral(value, XSD_STRING, language);
    if (!this.#text.startsWith('^^', this.#at)) return formatLiteral(value, XSD_STRING, '');
    this.#at += 2;
    return formatLiteral(value, this.#datatype(), '');
  }

  error(message: string, at = this.#at): Error {
    return parseError(message, this.position(at));
  }

  position(at = this.#at): Position {
    const before = this.#text.slice(0, at).split(/\r\n|\r|\n/);
    return { line: before.length, column: before.at(-1)!.length + 1 };
  }

  /** The text that is next, for a message. */
  get rest(): string {
    return shorten(this.#text.slice(this.#at, this.#at + 100).split(/\s/, 1)[0]!);
  }

  /** Returns the text between the quotes. */
  #string(): string {
    const long = this.#text.startsWith('"""', this.#at);
    const quote = long ? '"""' : '"';
    const start = this.#at + quote.length;
    for (let at = start; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === '\\') {
        at++;
      } else if (character === '"' && this.#text.startsWith(quote, at)) {
        this.#at = at + quote.length;
        return this.#text.slice(start, at);
      } else if (!long && (character === '\n' || character === '\r')) {
        break;
      }
    }
    throw this.error('Unterminated string');
  }

  #datatype(): string {
    const start = this.#at;
    const value = this.#iriReference() ?? this.#prefixedName();
    if (value === undefined) throw this.error('Expected a datatype');
    const error = datatypeError(value);
    if (error !== undefined) throw this.error(error, start);
    return value;
  }

  #iriReference(): string | undefined {
    const start = this.#at;
    const written = this.#match(iriReference)?.[1];
    if (written === undefined) return undefined;
    const value = undoEscapes(written, false);
    if (value === undefined) throw this.error('Malformed escape in an IRI', start);
    return this.#checked(resolveIri(value, this.#base), start);
  }

  #prefixedName(): string | undefined {
    const start = this.#at;
    const label = this.#match(prefixLabel)?.[1];
    if (label === undefined) return undefined;
    const namespace = this.#prefixes.get(label);
    if (namespace === undefined) throw this.error(`The prefix ${shorten(label)}: is not declared`, start);
    const local = this.#withoutDots(this.#match(localName)![0]);
    return this.#checked(namespace + local.replace(/\\(.)/g, '$1'), start);
  }

  #checked(value: string, start: number): string {
    this.#budget.spend(value.length);
    const error = iriError(value);
    if (error !== undefined) throw this.error(error, start);
    return value;
  }

  /** Dots at the end of a name belong to the text after it. */
  #withoutDots(name: string): string {
    const kept = withoutFinalDots(name);
    this.#at -= name.length - kept.length;
    return kept;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}
