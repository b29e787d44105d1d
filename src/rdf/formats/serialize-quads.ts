import { compactedJsonLd } from '../media-types/json-ld-profile.ts';
import type { QuadCursor } from '../model/quad-cursor.ts';
import type { SpareMemory } from './chunk-writer.ts';
import { RdfError } from './errors.ts';
import { serializeJsonLd } from './jsonld/serialize.ts';
import { serializeNQuads } from './nquads/serialize.ts';
import { commonTable, type PrefixTable, prefixTable } from './prefix-table.ts';
import { serializeRdfJson } from './rdfjson/serialize.ts';
import { serializeRdfXml } from './rdfxml/serialize.ts';
import { serializeTurtle } from './turtle/serialize.ts';

export interface SerializeOptions {
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /**
   * IRI of the only graph, which TriG and N-Quads name (C-10). Other formats write its triples.
   * Without it, all quad formats name the graph of the cursor's quad.
   */
  readonly graphName?: string;
  /** The prefixes of the document's graph, as the text of `DeclaredPrefixes`. */
  readonly prefixes?: string;
  /** Those that documents of all graphs have; by default the common ones. */
  readonly shared?: PrefixTable;
  /** Memory for the chunks after the first ones. */
  readonly spare?: SpareMemory;
}

/**
 * Writes quads in chunks of about 64 KiB, or of the size of spare memory, in UTF-8. The quads of a
 * graph must be consecutive, within it those of a subject, and within these those of a predicate;
 * equal input results in equal output. Throws `RdfError` with `not-acceptable` if the format cannot
 * represent the data, possibly after the first chunks.
 */
export function serializeRdf(cursor: QuadCursor, options: SerializeOptions): Generator<Uint8Array> {
  const { mediaType, graphName, spare } = options;
  const prefixes = prefixTable(options.prefixes ?? '', options.shared ?? commonTable);
  const named = { graphs: true, ...(graphName !== undefined && { graphName }) };
  switch (mediaType) {
    case 'application/n-triples':
      return serializeNQuads(cursor, { graphs: false }, spare);
    case 'application/n-quads':
      return serializeNQuads(cursor, named, spare);
    case 'text/turtle':
    case 'text/n3':
      return serializeTurtle(cursor, { graphs: false, prefixes }, spare);
    case 'application/trig':
      return serializeTurtle(cursor, { ...named, prefixes }, spare);
    case 'application/ld+json':
      return serializeJsonLd(
        cursor,
        { graphs: graphName === undefined, isCompacted: false, prefixes },
        spare,
      );
    case compactedJsonLd.mediaType:
      return serializeJsonLd(cursor, { graphs: graphName === undefined, isCompacted: true, prefixes }, spare);
    case 'application/rdf+xml':
      return serializeRdfXml(cursor, prefixes, spare);
    case 'application/rdf+json':
      return serializeRdfJson(cursor, spare);
    default:
      throw new RdfError('not-acceptable', `No writer for ${mediaType}`);
  }
}
