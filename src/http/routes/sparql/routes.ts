import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { Handler } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { describeEndpoint } from './describe-service.ts';
import { postOperation, queryOperation } from './operations.ts';
import { operationOfBody, operationOfUrl, type SparqlEndpoint } from './protocol-operation.ts';
import { SparqlQueryHandler } from './query-handler.ts';
import type { SparqlOptions, SparqlServices } from './services.ts';
import { executeUpdate } from './update-handler.ts';

const endpoints: readonly SparqlEndpoint[] = [
  { path: '/sparql', kinds: ['query', 'update'] },
  { path: '/query', kinds: ['query'] },
  { path: '/sparql/select', kinds: ['query'] },
  { path: '/update', kinds: ['update'] },
  { path: '/sparql/update', kinds: ['update'] },
];

/**
 * Routes of the SPARQL 1.1 Protocol. `/sparql` accepts queries and updates; the others accept one
 * of them, under names that other servers use.
 */
export function sparqlRoutes({ queries, updates }: SparqlServices, options: SparqlOptions): Route[] {
  const queryHandler = new SparqlQueryHandler(queries, options);
  const get = (sparql: SparqlEndpoint): Handler =>
    withQuery((request, parameters) => {
      const operation = operationOfUrl(parameters);
      if (!operation.ok) return operation;
      if (!operation.value) return describeEndpoint(sparql, options, request, parameters);
      return queryHandler.execute(request, operation.value);
    });
  const post = ({ kinds }: SparqlEndpoint): Handler =>
    withQuery(async (request, url) => {
      const operation = await operationOfBody(request, url, kinds, options);
      if (!operation.ok) return operation;
      return operation.value.kind === 'query'
        ? queryHandler.execute(request, operation.value)
        : executeUpdate(updates, options, request, operation.value);
    });
  return endpoints.map((sparql) => {
    const { path, kinds } = sparql;
    const POST = endpoint(post(sparql), postOperation(kinds));
    const GET = endpoint(get(sparql), queryOperation);
    return { path, methods: kinds.includes('query') ? { GET, POST } : { POST } };
  });
}
