import { createRequire } from 'node:module';
import type { SaxesParser, SaxesTagNS } from 'saxes';
import { DeclaredPrefixes } from '../../model/names/declared-prefixes.ts';
import type { QuadBlock } from '../../model/quad-block.ts';
import { parseError, RdfError } from '../errors.ts';
import { checkpoint, type ParseControl } from '../parse-progress.ts';
import { characterBoundary, type Position, positionOfByte } from '../position.ts';
import { UnfoldingBudget } from '../unfolding-budget.ts';
import { readDoctype } from './doctype.ts';
import { MAX_DEPTH, XmlLimits } from './limits.ts';
import { documentElement, type Element } from './rdf-elements.ts';
import { type Place, Triples } from './triples.ts';

export interface RdfXmlOptions extends ParseControl {
  /** Absolute. */
  readonly baseIri: string;
}

const CHUNK_BYTES = 64 * 1024;

/** The most bytes that a text, a tag, a comment or other markup may have. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024;

const require = createRequire(import.meta.url);

/**
 * Reads RDF/XML from valid UTF-8 without an encoding declaration. Saxes reads XML and namespaces,
 * and rejects what is not well-formed. All limits (G-134) apply to what saxes reports. Throws
 * `RdfError` with line and column.
 */
export function parseRdfXml(bytes: Uint8Array, options: RdfXmlOptions): QuadBlock {
  return new RdfXmlReader(bytes, options).read();
}

class RdfXmlReader implements Place {
  readonly #options: RdfXmlOptions;
  readonly #bytes: Buffer;
  readonly #parser: SaxesParser<{ xmlns: true; position: true }>;
  readonly #triples: Triples;
  readonly #limits: XmlLimits;
  /** The document, and the open elements. */
  readonly #open: Element[] = [];
  /** The text that the parser reads, and where it begins, as the parser counts and in bytes. */
  #chunk = '';
  #chunkPosition = 0;
  #chunkStart = 0;
  /** Number of bytes since the last event, up to the end of the chunk. */
  #unreported = 0;
  #roots = 0;
  /** Those of the root element. */
  readonly #prefixes = new DeclaredPrefixes();
  /** Whether the parser reads the attributes of a start tag. */
  #inTag = false;

  constructor(bytes: Uint8Array, options: RdfXmlOptions) {
    this.#options = options;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // Loaded on first use, like other parsers.
    const saxes = require('saxes') as typeof import('saxes');
    this.#parser = new saxes.SaxesParser({ xmlns: true, position: true });
    const budget = new UnfoldingBudget(bytes.length, options.brief);
    this.#triples = new Triples(bytes.length, this, budget);
    this.#limits = new XmlLimits(this, budget);
  }

  read(): QuadBlock {
    const scope = { base: this.#options.baseIri, language: '', direction: '', isRdf12: false };
    this.#open.push(documentElement({ place: this, triples: this.#triples }, scope));
    this.#listen();
    const bytes = this.#bytes;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = characterBoundary(bytes, start + CHUNK_BYTES);
      this.#read(start, end);
      checkpoint(this.#options, end);
    }
    this.#parser.on('error', ({ message }) => this.#rejectEnd(message));
    this.#parser.close();
    return { ...this.#triples.finish(), ...this.#prefixes.ofBlock };
  }

  #read(start: number, end: number): void {
    this.#chunkPosition += this.#chunk.length;
    this.#chunkStart = start;
    this.#chunk = this.#bytes.toString('utf8', start, end);
    this.#unreported += end - start;
    this.#parser.write(this.#chunk);
    if (this.#unreported > MAX_PIECE_BYTES) {
      this.tooLarge(`Text or markup is longer than ${MAX_PIECE_BYTES} bytes`);
    }
  }

  #listen(): void {
    const parser = this.#parser;
    parser.on('doctype', () => this.#declareEntities());
    parser.on('opentagstart', () => this.#startTag());
    parser.on('attribute', (attribute) => {
      this.#unreported = 0;
      this.#limits.attribute(attribute);
    });
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('closetag', () => {
      this.#unreported = 0;
      this.#open.pop()?.close();
      this.#limits.close();
    });
    const addText = (text: string) => {
      this.#unreported = 0;
      this.#innermost.text(text);
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('comment', (text) => {
      this.#unreported = 0;
      this.#innermost.literal?.comment(text);
    });
    parser.on('processinginstruction', (data) => {
      this.#unreported = 0;
      this.#innermost.literal?.instruction(data);
    });
    parser.on('error', ({ message }) => this.#rejectXml(message));
  }

  #declareEntities(): void {
    this.#unreported = 0;
    const { ENTITIES } = this.#parser;
    for (const [name, { text, attribute }] of readDoctype(this.#bytes, this.#byteAt(this.#parser.position))) {
      const bytes = Buffer.byteLength(text);
      const get = () => {
        this.#limits.expand(bytes);
        return this.#inTag ? attribute : text;
      };
      Object.defineProperty(ENTITIES, name, { get });
    }
  }

  /** Called after the name of a start tag, before its attributes. */
  #startTag(): void {
    this.#unreported = 0;
    this.#inTag = true;
    if (this.#open.length === 1 && this.#roots++ > 0) this.reject('There is a second root element', '<');
    this.#limits.open();
  }

  #openTag(tag: SaxesTagNS): void {
    if (this.#limits.depth > MAX_DEPTH && !tag.isSelfClosing) {
      this.reject(`Nested deeper than ${MAX_DEPTH} levels`, '<');
    }
    if (this.#open.length === 1) {
      for (const [name, namespace] of Object.entries(tag.ns)) this.#prefixes.declare(name, namespace);
    }
    this.#open.push(this.#innermost.open(tag));
    this.#inTag = false;
  }

  get #innermost(): Element {
    return this.#open.at(-1)!;
  }

  /** Returns the offset in bytes of a position of the parser in the chunk. */
  #byteAt(position: number): number {
    const inChunk = position - this.#chunkPosition;
    // The parser may keep the line end of a chunk for the next one.
    if (inChunk <= 0) return Math.max(this.#chunkStart + inChunk, 0);
    return this.#chunkStart + Buffer.byteLength(this.#chunk.slice(0, inChunk));
  }

  /** Returns the offset of the last character that was read. */
  get #last(): number {
    return this.#byteAt(this.#parser.position - 1);
  }

  /** Returns the position of the last character that was read. */
  position(): Position {
    return positionOfByte(this.#bytes, this.#last);
  }

  reject(reason: string, attribute?: string): never {
    return this.#rejectAt(reason, this.#lastOf(attribute));
  }

  tooLarge(reason: string): never {
    const offset = this.#lastOf(this.#inTag ? '<' : undefined);
    throw new RdfError('too-large', reason, { source: 'body', ...positionOfByte(this.#bytes, offset) });
  }

  /** Returns the offset of the last occurrence of a text; without one, the last character. */
  #lastOf(text: string | undefined): number {
    return text === undefined ? this.#last : this.#bytes.lastIndexOf(text, this.#last - 1);
  }

  #rejectXml(message: string): never {
    const reason = xmlReason(message);
    // The parser reports this at the end of the word.
    if (reason.startsWith('XML: inappropriately located doctype')) {
      this.reject('Unexpected declaration', '<!DOCTYPE');
    }
    return this.#rejectAt(reason, this.#last);
  }

  /** Rejects a document that is incomplete. */
  #rejectEnd(message: string): never {
    const bytes = this.#bytes;
    const cut = bytes.lastIndexOf('<');
    this.#rejectAt(xmlReason(message), cut < bytes.lastIndexOf('>') ? bytes.length : Math.max(cut, 0));
  }

  #rejectAt(reason: string, offset: number): never {
    throw parseError(reason, positionOfByte(this.#bytes, offset));
  }
}

function xmlReason(message: string): string {
  return `XML: ${message.replace(/^\d+:\d+: /, '')}`;
}
