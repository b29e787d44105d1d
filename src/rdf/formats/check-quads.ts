import { JSON_LD, RDF_JSON, RDF_XML } from '../media-types/media-types.ts';
import type { QuadCursor } from '../model/quad-cursor.ts';
import { isRdf12Term } from '../model/rdf12.ts';
import { isTripleTermAt } from '../model/triple-term.ts';
import { noDirections, noTripleTerms } from './rdf12-errors.ts';
import { checkRdfXml } from './rdfxml/serialize.ts';

/** Quads between two calls of `meanwhile`: about 10 ms. */
const STEP = 1 << 16;

/**
 * Throws the error `not-acceptable` that `serializeRdf` would throw, for documents whose beginning
 * is sent before the end is written. `hasRdf12`: whether there may be terms of RDF 1.2; without
 * them only RDF/XML needs a check. `meanwhile` is called regularly, and may throw to end the check.
 */
export function checkQuads(
  cursor: QuadCursor,
  mediaType: string,
  hasRdf12: boolean,
  meanwhile: () => void = () => {},
): void {
  if (mediaType === RDF_XML) checkRdfXml(cursor, meanwhile);
  else if (hasRdf12 && mediaType === JSON_LD) checkObjects(cursor, meanwhile, rejectForJsonLd);
  else if (hasRdf12 && mediaType === RDF_JSON) checkObjects(cursor, meanwhile, rejectForRdfJson);
}

type CheckTerm = (bytes: Uint8Array, start: number, end: number) => void;

function checkObjects(cursor: QuadCursor, meanwhile: () => void, check: CheckTerm): void {
  const { terms } = cursor;
  for (let count = 1; cursor.next(); count++) {
    check(terms.bytes, terms.start(cursor.object), terms.end(cursor.object));
    if (count % STEP === 0) meanwhile();
  }
}

const rejectForJsonLd: CheckTerm = (bytes, start) => {
  if (isTripleTermAt(bytes, start)) throw noTripleTerms('JSON-LD');
};

const rejectForRdfJson: CheckTerm = (bytes, start, end) => {
  if (isTripleTermAt(bytes, start)) throw noTripleTerms('RDF/JSON');
  if (isRdf12Term(bytes, start, end)) throw noDirections('RDF/JSON');
};
