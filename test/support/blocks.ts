import { parseNQuads } from '../../src/rdf/formats/nquads/parse.ts';
import { parseRdf } from '../../src/rdf/formats/parse-document.ts';
import type { QuadBlock } from '../../src/rdf/model/quad-block.ts';

/** Quads out of N-Quads text; blank nodes are new ones of the payload. */
export function blockOf(nquads: string): QuadBlock {
  return parseRdf(Buffer.from(nquads), { mediaType: 'application/n-quads', baseIri: 'urn:x:base' });
}

/** The same with IRIs that only earlier versions accepted. */
export function storedBlockOf(nquads: string): QuadBlock {
  return parseNQuads(Buffer.from(nquads), { freshBlankNodes: true, graphs: true, storedTerms: true });
}
