import { negotiate } from '../../rdf/accept.ts';
import { constraintsAsHtml, constraintsAsText } from '../../services/ldp/constraints.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { withQuery } from '../parameters.ts';
import type { Route } from '../router.ts';

const candidates = [
  { type: 'text/html', write: constraintsAsHtml },
  { type: 'text/plain', write: constraintsAsText },
] as const;

/**
 * Routes for the published constraints (http-api 5.12). A client that follows the link gets them
 * whatever its headers say.
 */
export function ldpConstraintRoutes(): Route[] {
  return [{ path: '/constraints/ldp', methods: { GET: withQuery(readConstraints) } }];
}

function readConstraints(request: HttpRequest): HttpReply {
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
