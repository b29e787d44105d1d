import { iriError } from '../model/iri.ts';
import type { QuadBlock } from '../model/quad-block.ts';
import { toUtf8 } from './decode-text.ts';
import { RdfError } from './errors.ts';
import { parseJsonLdDocument } from './jsonld/parse.ts';
import type { PreloadedContexts } from './jsonld/preloaded-contexts.ts';
import { parseNQuads } from './nquads/parse.ts';
import type { ParseControl } from './parse-progress.ts';
import { parseRdfJson } from './rdfjson/parse.ts';
import { xmlToUtf8 } from './rdfxml/encoding.ts';
import { parseRdfXml } from './rdfxml/parse.ts';
import { parseTurtle } from './turtle/parse.ts';

export interface ParseOptions extends ParseControl {
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /** WHATWG label; used for `text/*` and RDF/XML only (G-61). */
  readonly charset?: string;
  /** Absolute IRI against which relative ones are resolved (G-100). */
  readonly baseIri: string;
  /** Contexts that a JSON-LD document may name by their IRIs (G-45). */
  readonly contexts?: PreloadedContexts;
}

/**
 * Reads an RDF document to its end (http-api 1.12). Blank nodes are numbered in the order of their
 * first use. Throws `RdfError`: `parse-error` with line and column, `remote-context`,
 * `unsupported-media-type`, `bad-iri` for the base, `too-large` if the document expands too much
 * (`LengthyDocumentError` with `brief`), `cancelled`.
 */
export function parseRdf(body: Uint8Array, options: ParseOptions): QuadBlock {
  const { mediaType, baseIri } = options;
  const error = iriError(baseIri);
  if (error !== undefined) throw new RdfError('bad-iri', `Base: ${error}`);
  switch (mediaType) {
    case 'text/turtle':
    case 'application/trig':
    case 'text/n3':
      return parseTurtle(toUtf8(body, charsetOf(options)), { ...options, mediaType });
    case 'application/n-triples':
    case 'application/n-quads':
      return parseNQuads(toUtf8(body, undefined), {
        ...options,
        freshBlankNodes: true,
        graphs: mediaType === 'application/n-quads',
      });
    case 'application/rdf+xml':
      return parseRdfXml(xmlToUtf8(body, options.charset), options);
    case 'application/ld+json':
      return parseJsonLdDocument(toUtf8(body, undefined), options);
    case 'application/rdf+json':
      return parseRdfJson(toUtf8(body, undefined), options);
    default:
      throw new RdfError('unsupported-media-type', `No parser for ${mediaType}`);
  }
}

function charsetOf(options: ParseOptions): string | undefined {
  return options.mediaType.startsWith('text/') ? options.charset : undefined;
}
