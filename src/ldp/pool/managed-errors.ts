import { AppError } from '../../errors.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';

/**
 * An error for statements or changes that clients may not make (http-api 5.12). `properties`:
 * absolute IRIs.
 */
export function constraintViolation(message: string, properties: Iterable<string>): AppError {
  const sorted = [...new Set(properties)].sort();
  return new AppError('constraint-violation', `${message}: ${sorted.map((iri) => `<${iri}>`).join(', ')}.`, {
    properties: sorted,
  });
}

/** `kind`: the LDP type that was stated for a resource of another type. */
export function typeConflict(subject: string, kind: string): AppError {
  const message = `Triples cannot change the type of a resource: ${subject} is not a <${kind}>.`;
  return new AppError('type-conflict', message, { properties: [RDF_TYPE] });
}
