import { describeSparqlService } from '../../../services/sparql/service-description.ts';
import { matchRefusal } from '../../headers/conditional.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { formatParameter, graphFormat } from './answer-format.ts';
import type { OperationKinds } from './protocol-operation.ts';
import type { SparqlOptions } from './services.ts';

/** Returns the service description of an endpoint (SPARQL 1.1 Service Description). */
export function describeEndpoint(
  path: string,
  kinds: OperationKinds,
  { base, defaultGraph }: SparqlOptions,
  request: HttpRequest,
  parameters: Query,
): HttpReply {
  const format = graphFormat(request.header('accept'), formatParameter(parameters));
  if (!format.ok) return refusal(format.error, request);
  const mismatch = matchRefusal(request);
  if (mismatch) return refusal(mismatch, request);
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
