import { formats, type JsonMeaning, type RdfFormat } from '../../rdf/media-types/media-types.ts';
import type { Content, DescribedResponse, Schema } from './described-operation.ts';

const text: Schema = { type: 'string' };
const bytes: Schema = {};

/** Which formats an RDF body may have, and what `application/json` means (G-43). */
interface RdfBody {
  readonly json?: JsonMeaning;
  /** Only formats that name graphs. */
  readonly quads?: boolean;
}

/** Returns all media types in which RDF can be sent. */
export function rdfInput(body: RdfBody = {}): Content {
  return rdfContent(body, ({ inputAliases }) => inputAliases);
}

/** Returns all media types in which RDF can be requested. */
export function rdfOutput(body: RdfBody = {}): Content {
  return rdfContent(body, ({ outputAliases }) => outputAliases);
}

function rdfContent({ json, quads }: RdfBody, aliasesOf: (format: RdfFormat) => readonly string[]): Content {
  const types = formats
    .filter((format) => !quads || format.quads)
    .flatMap((format) => [
      format.mediaType,
      ...aliasesOf(format),
      ...(format.shortName === json ? ['application/json'] : []),
    ]);
  return textOf(...types);
}

/** Returns a body of text with these media types. */
export function textOf(...types: readonly string[]): Content {
  return Object.fromEntries(types.map((type) => [type, text]));
}

/** Returns a body of JSON. */
export function json(schema: Schema): Content {
  return { 'application/json': schema };
}

/** Bytes of any media type. */
export const anyBytes: Content = { '*/*': bytes };

/** A line of text. */
export const line: Content = textOf('text/plain');

/** The response to a conditional GET whose client has the representation. */
export const notModified: DescribedResponse = {
  description: 'The client has the current representation.',
  headers: ['ETag', 'Last-Modified', 'Vary'],
};
