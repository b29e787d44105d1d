import { MAX_DOCUMENT_QUAD_BYTES } from '../model/quad-limits.ts';

/** The codes of the catalogue (http-api 1.10) that can occur when RDF is read or written. */
export type RdfErrorCode =
  | 'parse-error'
  | 'remote-context'
  | 'unsupported-media-type'
  | 'bad-iri'
  | 'bad-term'
  | 'too-large'
  | 'cancelled'
  | 'not-acceptable';

export interface RdfErrorDetails {
  /** 1-based, in UTF-16 code units of the decoded text. */
  readonly line?: number;
  readonly column?: number;
  readonly source?: 'body';
}

/**
 * Thrown for a document that cannot be read, or a graph that cannot be written in the requested
 * format.
 */
export class RdfError extends Error {
  override readonly name = 'RdfError';
  readonly code: RdfErrorCode;
  readonly details: RdfErrorDetails;

  constructor(code: RdfErrorCode, message: string, details: RdfErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A syntax error of the body, with a position if it is known. */
export function parseError(message: string, position?: { line: number; column: number }): RdfError {
  return new RdfError('parse-error', message, { ...position, source: 'body' });
}

export function blankGraphError(position: { line: number; column: number }): RdfError {
  const message = 'The name of the graph is a blank node: use an IRI.';
  return new RdfError('bad-term', message, { ...position, source: 'body' });
}

/** `size` is the number of bytes of the quad's terms. */
export function tooLongQuad(size: number, position?: { line: number; column: number }): RdfError {
  const message = `A triple of ${size} bytes is too long: its terms may have ${MAX_DOCUMENT_QUAD_BYTES} bytes together. Store long text as content instead.`;
  return new RdfError('too-large', message, { ...position, source: 'body' });
}
