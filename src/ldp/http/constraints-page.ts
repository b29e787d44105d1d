import { endpoint } from '../../http/description/endpoint.ts';
import { withQuery } from '../../http/parameters.ts';
import type { HttpRequest, HttpResponse } from '../../http/server/message.ts';
import type { Route } from '../../http/server/router.ts';
import { negotiate } from '../../rdf/media-types/accept.ts';
import { constraintsAsHtml, constraintsAsText } from '../main/constraints.ts';
import { readConstraintsOperation } from './operations.ts';

const candidates = [
  { type: 'text/html', write: constraintsAsHtml },
  { type: 'text/plain', write: constraintsAsText },
] as const;

/**
 * Routes for the published constraints (http-api 5.12). A client that follows the link gets them
 * whatever its headers say.
 */
export function ldpConstraintRoutes(): Route[] {
  const GET = endpoint(withQuery(readConstraints), readConstraintsOperation);
  return [{ path: '/constraints/ldp', methods: { GET } }];
}

function readConstraints(request: HttpRequest): HttpResponse {
  const { type, write } = negotiate(request.header('accept'), candidates)?.candidate ?? candidates[0];
  return {
    status: 200,
    headers: [
      ['Content-Type', `${type}; charset=utf-8`],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ],
    body: write(),
  };
}
