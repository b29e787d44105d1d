import { RdfError } from './errors.ts';

/** `format` names a format that has no triple terms. */
export function noTripleTerms(format: string): RdfError {
  return new RdfError('not-acceptable', `${format} cannot represent triple terms (RDF 1.2).`);
}

/** `format` names a format in which texts have no direction. */
export function noDirections(format: string): RdfError {
  return new RdfError('not-acceptable', `${format} cannot represent the direction of a text (RDF 1.2).`);
}
