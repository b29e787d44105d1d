import { shorten } from '../../model/iri.ts';
import { RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { findContexts, jsonAt } from './find-contexts.ts';
import { isObject } from './term-definitions.ts';

/** Returns the error for a document that names a context by its IRI, with the first such place. */
export function remoteContextError(bytes: Uint8Array): RdfError {
  for (const slice of findContexts(bytes).values()) {
    const remote = remoteIn(jsonAt(bytes, slice));
    if (remote === undefined) continue;
    const written = Buffer.from(bytes.buffer, bytes.byteOffset, slice.end).indexOf(
      JSON.stringify(remote),
      slice.start,
    );
    const position = positionOfByte(bytes, Math.max(written, slice.start));
    const message = `Remote contexts are not fetched: ${shorten(remote)}`;
    return new RdfError('remote-context', message, { ...position, source: 'body' });
  }
  return new RdfError('remote-context', 'Remote contexts are not fetched', { source: 'body' });
}

/** Returns the first IRI of a context in the value of `@context`. */
function remoteIn(context: unknown): string | undefined {
  if (typeof context === 'string') return context;
  if (Array.isArray(context)) return firstOf(context.map(remoteIn));
  if (!isObject(context)) return undefined;
  const { '@import': imported } = context;
  return typeof imported === 'string' ? imported : firstOf(Object.values(context).map(remoteOfTerm));
}

/** A term may have a context of its own. */
function remoteOfTerm(definition: unknown): string | undefined {
  return isObject(definition) ? remoteIn(definition['@context']) : undefined;
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((each) => each !== undefined);
}
