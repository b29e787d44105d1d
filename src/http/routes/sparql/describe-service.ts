import { describeSparqlService } from '../../../services/sparql/service-description.ts';
import { failedMatch } from '../../headers/conditional.ts';
import type { Query } from '../../query.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { SparqlEndpoint } from './protocol-operation.ts';
import { formatParameter, graphFormat } from './response-format.ts';
import type { SparqlOptions } from './services.ts';

/** Returns the service description of an endpoint (SPARQL 1.1 Service Description). */
export function describeEndpoint(
  { path, kinds }: SparqlEndpoint,
  { base, defaultGraph }: SparqlOptions,
  request: HttpRequest,
  parameters: Query,
): HandlerResult {
  const format = graphFormat(request.header('accept'), formatParameter(parameters));
  if (!format.ok) return format;
  const mismatch = failedMatch(request);
  if (mismatch) return mismatch;
  const { mediaType, contentType } = format.value;
  const takesUpdates = kinds.includes('update');
  return {
    status: 200,
    headers: [
      ['Content-Type', contentType],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ],
    body: describeSparqlService({ endpoint: base + path, defaultGraph, takesUpdates }, mediaType),
  };
}
