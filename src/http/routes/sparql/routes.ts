import { withQuery } from '../../parameters.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { Handler, HttpReply, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { answerQuery } from './answer-query.ts';
import { carryOutUpdate } from './carry-out-update.ts';
import { describeEndpoint } from './describe-service.ts';
import { type OperationKinds, operationOfBody, operationOfUrl } from './protocol-operation.ts';
import type { SparqlOptions, SparqlServices } from './services.ts';

/**
 * Routes of the SPARQL 1.1 Protocol. `/sparql` accepts queries and updates; the others accept one
 * of them, under names that other servers use.
 */
export function sparqlRoutes(services: SparqlServices, options: SparqlOptions): Route[] {
  const endpoint = (path: string, kinds: OperationKinds): Route => {
    const POST = posts(services, options, kinds);
    if (!kinds.includes('query')) return { path, methods: { POST } };
    return { path, methods: { GET: gets(services, options, path, kinds), POST } };
  };
  return [
    endpoint('/sparql', ['query', 'update']),
    endpoint('/query', ['query']),
    endpoint('/sparql/select', ['query']),
    endpoint('/update', ['update']),
    endpoint('/sparql/update', ['update']),
  ];
}

function gets(
  { queries }: SparqlServices,
  options: SparqlOptions,
  path: string,
  kinds: OperationKinds,
): Handler {
  return withQuery((request, parameters) => {
    const operation = operationOfUrl(parameters);
    if (!operation.ok) return refusal(operation.error, request);
    if (!operation.value) return describeEndpoint(path, kinds, options, request, parameters);
    return answerQuery(queries, options, request, operation.value);
  });
}

function posts(services: SparqlServices, options: SparqlOptions, kinds: OperationKinds): Handler {
  return withQuery(async (request: HttpRequest, url: Query): Promise<HttpReply> => {
    const operation = await operationOfBody(request, url, kinds, options);
    if (!operation.ok) return refusal(operation.error, request);
    return operation.value.kind === 'query'
      ? answerQuery(services.queries, options, request, operation.value)
      : carryOutUpdate(services.updates, options, request, operation.value);
  });
}
