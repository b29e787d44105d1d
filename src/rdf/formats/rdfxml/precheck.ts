import { parseError, RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { UnfoldingBudget } from '../unfolding-budget.ts';
import { checkDoctype } from './doctype.ts';
import { XmlLimits } from './limits.ts';

/** The maximum nesting of elements; the parser's time grows with its square. */
const MAX_DEPTH = 1024;

const EXCLAMATION = 0x21;
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/**
 * Checks that a document is complete, that it has one root, and that nesting, entities, attributes
 * and namespaces are within limits (G-46). Everything else is left to the parser. Returns the texts
 * of the entities that the document declares. Throws `RdfError`.
 */
export function checkXml(document: Uint8Array, brief = false): ReadonlyMap<string, string> {
  return new XmlChecker(document, brief).check();
}

class XmlChecker {
  readonly #bytes: Buffer;
  readonly #limits: XmlLimits;
  #at = 0;
  #depth = 0;
  #roots = 0;
  #doctypes = 0;
  #entities: ReadonlyMap<string, string> = new Map();

  constructor(document: Uint8Array, brief: boolean) {
    this.#bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
    this.#limits = new XmlLimits(this.#bytes, new UnfoldingBudget(document.length, brief));
  }

  check(): ReadonlyMap<string, string> {
    for (let at = this.#next(0); at >= 0; at = this.#next(this.#at)) {
      this.#at = at;
      this.#markup();
    }
    if (this.#depth > 0) this.#fail('An element is not closed', this.#bytes.length);
    if (this.#roots === 0) this.#fail('There is no root element', this.#bytes.length);
    return this.#entities;
  }

  #next(from: number): number {
    return this.#bytes.indexOf(LESS, from);
  }

  #markup(): void {
    switch (this.#bytes[this.#at + 1]) {
      case SLASH:
        this.#endTag();
        break;
      case QUESTION:
        this.#skipTo('?>');
        break;
      case EXCLAMATION:
        if (this.#startsWith('<!--')) this.#skipTo('-->');
        else if (this.#startsWith('<![CDATA[')) this.#skipTo(']]>');
        else this.#doctype();
        break;
      default:
        this.#startTag();
    }
  }

  #startsWith(text: string): boolean {
    return this.#bytes.toString('latin1', this.#at, this.#at + text.length) === text;
  }

  #skipTo(end: string): void {
    const found = this.#bytes.indexOf(end, this.#at + 2, 'latin1');
    if (found < 0) this.#fail('Markup is not closed', this.#at);
    this.#at = found + end.length;
  }

  #doctype(): void {
    if (this.#doctypes++ > 0 || this.#roots > 0) this.#fail('Unexpected declaration', this.#at);
    const doctype = checkDoctype(this.#bytes, this.#at);
    if (doctype === undefined) this.#fail('The document type declaration is not closed', this.#at);
    if (!this.#limits.declareEntities(doctype)) this.#reject(this.#at);
    this.#entities = doctype.texts;
    this.#at = doctype.end;
  }

  #endTag(): void {
    if (this.#depth === 0) this.#fail('An end tag has no start tag', this.#at);
    this.#depth--;
    this.#limits.close();
    const end = this.#bytes.indexOf(GREATER, this.#at);
    if (end < 0) this.#fail('Markup is not closed', this.#at);
    this.#at = end + 1;
  }

  #startTag(): void {
    const start = this.#at;
    if (this.#depth === 0 && this.#roots++ > 0) this.#fail('There is a second root element', start);
    this.#at = this.#endOfTag(start);
    if (!this.#limits.open(start, this.#at)) this.#reject(start);
    if (this.#bytes[this.#at - 2] === SLASH) {
      this.#limits.close();
      return;
    }
    this.#depth++;
    if (this.#depth > MAX_DEPTH) this.#fail(`Nested deeper than ${MAX_DEPTH} levels`, start);
  }

  /**
   * Returns the offset after the bracket that closes a tag; brackets in attributes do not count.
   */
  #endOfTag(start: number): number {
    const bytes = this.#bytes;
    let quote = 0;
    for (let at = start + 1; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === quote) quote = 0;
      else if (quote === 0 && (byte === QUOTE || byte === APOSTROPHE)) quote = byte;
      else if (quote === 0 && byte === GREATER) return at + 1;
    }
    return this.#fail('A tag is not closed', start);
  }

  #reject(offset: number): never {
    const message = 'The document expands to too much: too many attributes or namespaces';
    throw new RdfError('too-large', message, { source: 'body', ...positionOfByte(this.#bytes, offset) });
  }

  #fail(message: string, offset: number): never {
    throw parseError(message, positionOfByte(this.#bytes, offset));
  }
}
