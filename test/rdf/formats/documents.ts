import { RdfError } from '../../../src/rdf/formats/errors.ts';
import { type ParseOptions, parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { serializeRdf } from '../../../src/rdf/formats/serialize-quads.ts';
import type { QuadBlock } from '../../../src/rdf/model/quad-block.ts';
import { blockCursor } from './block-cursor.ts';

export const BASE = 'http://base.example/dir/doc';

export function parse(
  text: string | Uint8Array,
  mediaType: string,
  options: Partial<ParseOptions> = {},
): QuadBlock {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return parseRdf(body, { mediaType, baseIri: BASE, ...options });
}

/** Returns the quads of a document as lines of N-Quads, in document order. */
export function quads(
  text: string | Uint8Array,
  mediaType: string,
  options: Partial<ParseOptions> = {},
): string[] {
  return lines(parse(text, mediaType, options));
}

export function lines(block: QuadBlock): string[] {
  return write(block, 'application/n-quads', undefined, false).split('\n').slice(0, -1);
}

export function write(block: QuadBlock, mediaType: string, graphName?: string, sorted = true): string {
  const cursor = blockCursor(block, sorted);
  const { prefixes } = block;
  const chunks = serializeRdf(cursor, {
    mediaType,
    ...(graphName !== undefined && { graphName }),
    ...(prefixes !== undefined && { prefixes }),
  });
  return Buffer.concat([...chunks]).toString();
}

/** Returns the error that parsing a document throws. */
export function parseError(
  text: string | Uint8Array,
  mediaType: string,
  options: Partial<ParseOptions> = {},
): Pick<RdfError, 'code' | 'message' | 'details'> {
  try {
    parse(text, mediaType, options);
  } catch (error) {
    if (error instanceof RdfError) return error;
    throw error;
  }
  throw new Error(`No error in ${text.toString().slice(0, 200)}`);
}
