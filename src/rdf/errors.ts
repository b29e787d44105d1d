import { MAX_DOCUMENT_QUAD_BYTES } from '../graph/quad-limits.ts';

/** The codes of the catalogue (http-api 1.10) that reading and writing RDF can meet. */
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

/** A document that cannot be read, or a graph that cannot be written in the format asked for. */
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

/** A syntax error of the body; the position is left out where none is known. */
export function parseError(message: string, position?: { line: number; column: number }): RdfError {
  return new RdfError('parse-error', message, { ...position, source: 'body' });
}

export function blankGraphError(position: { line: number; column: number }): RdfError {
  const message = 'The graph is named by a blank node: name it by an IRI.';
  return new RdfError('bad-term', message, { ...position, source: 'body' });
}

/** `size`: bytes of the quad's terms. */
export function tooLongQuad(size: number, position?: { line: number; column: number }): RdfError {
  const message = `A triple of ${size} bytes is too long: its terms may take ${MAX_DOCUMENT_QUAD_BYTES} bytes together. Store long text as content instead.`;
  return new RdfError('too-large', message, { ...position, source: 'body' });
}
