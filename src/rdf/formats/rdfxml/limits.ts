import type { UnfoldingBudget } from '../unfolding-budget.ts';
import type { EntityTexts } from './doctype.ts';

/* The work of the parser, in units of the budget. The factors were measured. */
/** A namespace that may have to be compared to resolve a name, and a character of its prefix. */
const BINDING = 1 / 16;
const PREFIX = 1 / 32;
/**
 * A character of all names of a tag's attributes, and of the namespaces that they may stand for:
 * the parser compares them.
 */
const COMPARED = 1 / 64;
/** A character of an entity's text, for each use. */
const ENTITY = 1 / 8;
/** A character of the base that an attribute may be resolved against. */
const BASE = 1 / 64;

const SPACE = 0x20;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const UPPER_T = 0x54;
const LOWER_E = 0x65;
const LOWER_L = 0x6c;
const LOWER_X = 0x78;

/** The settings that are in force within an element. */
interface Scope {
  namespaces: number;
  /** Characters of their prefixes, and of their whole declarations. */
  prefixes: number;
  declarations: number;
  base: number;
  /** Whether the content may be an XML literal. */
  literal: boolean;
}

/**
 * Adds up the work that attributes and namespaces cause in the parser: much of it grows with
 * products of their numbers.
 */
export class XmlLimits {
  readonly #bytes: Buffer;
  readonly #budget: UnfoldingBudget;
  /** The scopes of the open elements. */
  readonly #scopes: Scope[] = [{ namespaces: 2, prefixes: 8, declarations: 0, base: 0, literal: false }];
  /** The most characters that a reference to an entity may expand to. */
  #longestEntity = 0;

  constructor(bytes: Buffer, budget: UnfoldingBudget) {
    this.#bytes = bytes;
    this.#budget = budget;
  }

  /**
   * Records the entities that the document declares. Returns whether the budget covers their uses.
   */
  declareEntities({ longest, written }: EntityTexts): boolean {
    this.#longestEntity = longest;
    return this.#budget.covers(ENTITY * written);
  }

  /** Records the start tag between two offsets. Returns whether the budget covers it. */
  open(start: number, end: number): boolean {
    const outer = this.#scopes.at(-1)!;
    const scope = { ...outer, literal: false };
    this.#scopes.push(scope);
    let attributes = 0;
    let names = 0;
    for (let from = start, equals = this.#equalsSign(from, end); equals < end; ) {
      const close = this.#endOfValue(equals, end);
      names += this.#attribute(from, equals, close, scope);
      attributes++;
      from = close;
      equals = this.#equalsSign(from, end);
    }
    const resolving = (1 + attributes) * (BINDING * scope.namespaces + PREFIX * scope.prefixes);
    // Each element in a literal declares all namespaces once more.
    const declaring = outer.literal ? (BINDING * scope.namespaces ** 2) / 2 + scope.declarations : 0;
    const compared = COMPARED * (names + scope.declarations);
    return this.#budget.covers(resolving + declaring + attributes * (compared + BASE * scope.base));
  }

  close(): void {
    if (this.#scopes.length > 1) this.#scopes.pop();
  }

  #equalsSign(start: number, end: number): number {
    let at = start;
    while (at < end && this.#bytes[at] !== EQUALS) at++;
    return at;
  }

  /**
   * Returns the offset after the quote that closes the value; the end if the tag is not
   * well-formed, which the parser reports.
   */
  #endOfValue(equals: number, end: number): number {
    const bytes = this.#bytes;
    let at = equals + 1;
    while (at < end && bytes[at]! <= SPACE) at++;
    const quote = bytes[at]!;
    if (quote !== QUOTE && quote !== APOSTROPHE) return end;
    do at++;
    while (at < end && bytes[at] !== quote);
    return Math.min(at + 1, end);
  }

  /** Records the effects of an attribute, and returns the length of its name. */
  #attribute(from: number, equals: number, close: number, scope: Scope): number {
    const bytes = this.#bytes;
    let nameEnd = equals;
    while (nameEnd > from && bytes[nameEnd - 1]! <= SPACE) nameEnd--;
    let start = nameEnd;
    while (start > from && bytes[start - 1]! > SPACE) start--;
    // All relevant names begin with `xml`, except `xml:lang`, or end with `parseType`.
    const isXml = bytes[start] === LOWER_X && bytes[start + 4] !== LOWER_L;
    if (isXml || (bytes[nameEnd - 1] === LOWER_E && bytes[nameEnd - 4] === UPPER_T)) {
      const name = bytes.toString('latin1', start, nameEnd);
      this.#declare(
        name,
        bytes
          .toString('latin1', equals + 1, close)
          .trim()
          .slice(1, -1),
        scope,
      );
    }
    return nameEnd - start;
  }

  #declare(name: string, value: string, scope: Scope): void {
    if (name === 'xmlns' || name.startsWith('xmlns:')) {
      scope.namespaces++;
      scope.prefixes += name.length;
      scope.declarations += name.length + this.#expandedLength(value);
    } else if (name === 'xml:base') {
      scope.base = this.#expandedLength(value);
    } else if (name.endsWith(':parseType')) {
      scope.literal = value !== 'Resource' && value !== 'Collection';
    }
  }

  #expandedLength(value: string): number {
    return value.length + this.#longestEntity * (value.split('&').length - 1);
  }
}
