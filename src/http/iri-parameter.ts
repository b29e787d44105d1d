import { type Failure, failure } from '../errors.ts';
import { iriError } from '../rdf/model/iri.ts';

/** Returns the `bad-iri` error for a parameter that is not an absolute IRI (G-15). */
export function badIri(parameter: string, text: string): Failure {
  return failure('bad-iri', `${parameter}: ${iriError(text)}.`);
}
