import { type ErrorData, errorData } from '../errors.ts';
import { iriError } from '../rdf/model/iri.ts';

/** Returns the `bad-iri` error for a parameter that is not an absolute IRI (G-15). */
export function badIri(parameter: string, text: string): ErrorData {
  return errorData('bad-iri', `${parameter}: ${iriError(text)}.`);
}
