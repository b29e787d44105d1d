import { createRequire } from 'node:module';
import type { SaxesParser } from 'saxes';
import type { QuadBlock } from '../../model/quad-block.ts';
import { parseError } from '../errors.ts';
import { checkpoint, type ParseControl } from '../parse-progress.ts';
import { characterBoundary, type Position, positionInText } from '../position.ts';
import { checkXml } from './precheck.ts';
import { documentElement, type Element } from './rdf-elements.ts';
import { type Place, Triples } from './triples.ts';

export interface RdfXmlOptions extends ParseControl {
  /** Absolute. */
  readonly baseIri: string;
}

const CHUNK_BYTES = 64 * 1024;

const require = createRequire(import.meta.url);

/**
 * Reads RDF/XML from valid UTF-8 without an encoding declaration. Saxes reads XML and namespaces,
 * and rejects what is not well-formed. Throws `RdfError` with line and column.
 */
export function parseRdfXml(bytes: Uint8Array, options: RdfXmlOptions): QuadBlock {
  const entities = checkXml(bytes, options.brief);
  const reader = new RdfXmlReader(bytes, options);
  return reader.read(entities);
}

class RdfXmlReader implements Place {
  readonly #options: RdfXmlOptions;
  readonly #bytes: Buffer;
  readonly #parser: SaxesParser<{ xmlns: true; position: true }>;
  readonly #triples: Triples;
  /** The document, and the open elements. */
  readonly #open: Element[] = [];

  constructor(bytes: Uint8Array, options: RdfXmlOptions) {
    this.#options = options;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // Loaded on first use, like other parsers.
    const saxes = require('saxes') as typeof import('saxes');
    this.#parser = new saxes.SaxesParser({ xmlns: true, position: true });
    this.#triples = new Triples(bytes.length, this, options.brief);
  }

  read(entities: ReadonlyMap<string, string>): QuadBlock {
    const parser = this.#parser;
    const scope = { base: this.#options.baseIri, language: '' };
    this.#open.push(documentElement({ place: this, triples: this.#triples }, scope));
    this.#listen();
    for (const [name, text] of entities) parser.ENTITIES[name] = text;
    const bytes = this.#bytes;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = characterBoundary(bytes, start + CHUNK_BYTES);
      parser.write(bytes.toString('utf8', start, end));
      checkpoint(this.#options, end);
    }
    parser.close();
    return this.#triples.finish();
  }

  #listen(): void {
    const parser = this.#parser;
    const addText = (text: string) => this.#innermost.text(text);
    parser.on('opentag', (tag) => {
      this.#open.push(this.#innermost.open(tag));
    });
    parser.on('closetag', () => {
      this.#open.pop()?.close();
    });
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('comment', (text) => this.#innermost.literal?.comment(text));
    parser.on('processinginstruction', (data) => this.#innermost.literal?.instruction(data));
    parser.on('error', ({ message }) => this.reject(`XML: ${message.replace(/^\d+:\d+: /, '')}`));
  }

  get #innermost(): Element {
    return this.#open.at(-1)!;
  }

  /** Returns the position of the last character that was read. */
  position(): Position {
    return positionInText(this.#bytes.toString('utf8'), this.#parser.position - 1);
  }

  reject(reason: string, attribute?: string): never {
    const text = this.#bytes.toString('utf8');
    const end = this.#parser.position;
    throw parseError(
      reason,
      positionInText(text, attribute === undefined ? end - 1 : text.lastIndexOf(attribute, end)),
    );
  }
}
