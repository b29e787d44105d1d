import type { QuadBlock } from '../../src/graph/quad-block.ts';
import { parseRdf } from '../../src/rdf/parse.ts';

/** Quads out of N-Quads text; blank nodes are new ones of the payload. */
export function blockOf(nquads: string): QuadBlock {
  return parseRdf(Buffer.from(nquads), { mediaType: 'application/n-quads', baseIri: 'urn:x:base' });
}
