import { type ErrorData, type Failure, failure, wrongState } from '../../../errors.ts';
import { type RdfFormat, readableTypes } from '../../../rdf/media-types/media-types.ts';

/** Formats that can't represent the graph, and the reason for the last one. */
export interface Unwritable {
  readonly formats: readonly RdfFormat[];
  readonly error: ErrorData;
}

export function preconditionFailed(graph: string): Failure {
  return wrongState('The graph', { uri: graph });
}

export function notAcceptable(unwritable: Unwritable | undefined): Failure {
  const message = unwritable?.error.message ?? 'The graph is not available in an acceptable type.';
  const refused = unwritable?.formats.map(({ mediaType }) => mediaType);
  const available = readableTypes.filter((type) => !refused?.includes(type));
  return failure('not-acceptable', message, { available });
}
