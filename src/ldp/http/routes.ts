import { endpoint } from '../../http/description/endpoint.ts';
import { parseQuery } from '../../http/query.ts';
import { plainText } from '../../http/server/header.ts';
import type { Handler, HttpRequest, HttpResponse, PendingResult } from '../../http/server/message.ts';
import type { Route } from '../../http/server/router.ts';
import { parseLdpPath } from '../main/path.ts';
import { LdpBinaries } from './binary.ts';
import { missing } from './errors.ts';
import { LdpHeaders } from './headers.ts';
import { ldpOperations } from './operations.ts';
import { LdpProblemHeaders } from './problem-headers.ts';
import { LdpReads } from './read.ts';
import type { Ldp, LdpOptions } from './service.ts';
import { LdpWriteHandlers } from './write.ts';

type Action = (request: HttpRequest, uri: string) => PendingResult;

/** Routes for the Linked Data Platform (http-api section 5). */
export function ldpRoutes(ldp: Ldp, options: LdpOptions): Route[] {
  const headers = new LdpHeaders(options.base);
  const problemHeaders = new LdpProblemHeaders(ldp.space, headers);
  const reads = new LdpReads(ldp, headers, new LdpBinaries(ldp, headers), options.variants);
  const writes = new LdpWriteHandlers(ldp, headers, options);
  const { root } = ldp.space;

  const at =
    (action: Action): Handler =>
    (request, rest) => {
      const path = parseLdpPath(rest);
      if (!path.ok) return path;
      const uri = root + path.value.path;
      return path.value.slash ? withoutSlash(request, uri, headers) : action(request, uri);
    };
  const describe: Action = (request, uri) => {
    const entry = ldp.space.shown(uri, request);
    if (entry === undefined || entry === 'gone') return missing(ldp.space, uri, request);
    // L-60 requires 204 here. In the W3C suite, which must pass (5.13),
    // testRequestedInteractionModelHeaders accepts only 200.
    return { status: 200, headers: headers.all(uri, entry.kind) };
  };
  const read = at((request, uri) => reads.read(request, uri));
  const { watch } = options;
  const watching: Action = (request, uri) => {
    const entry = () => ldp.space.shown(uri, request);
    const exists = () => entry() !== undefined && entry() !== 'gone';
    return exists() ? watch.follow(request, { resource: uri }, exists) : missing(ldp.space, uri, request);
  };
  const follow = at(watching);
  const get: Handler = (request, rest) => {
    if (hasWatch(request.query)) return follow(request, rest);
    // A path with a cached response need not be parsed.
    return reads.readKnown(request, rest) ?? read(request, rest);
  };
  return [
    {
      path: '/ldp',
      tail: 'tree',
      methods: {
        GET: endpoint(get, ldpOperations.GET),
        POST: endpoint(
          at((request, uri) => writes.post(request, uri)),
          ldpOperations.POST,
        ),
        PUT: endpoint(
          at((request, uri) => writes.put(request, uri)),
          ldpOperations.PUT,
        ),
        PATCH: endpoint(
          at((request, uri) => writes.patch(request, uri)),
          ldpOperations.PATCH,
        ),
        DELETE: endpoint(
          at((request, uri) => writes.remove(request, uri)),
          ldpOperations.DELETE,
        ),
      },
      options: endpoint(at(describe), ldpOperations.OPTIONS),
      problemHeaders: (rejection, rest, request) => problemHeaders.of(rejection, rest, request),
    },
  ];
}

/** Other parameters have no meaning here. Most requests have no query. */
function hasWatch(text: string): boolean {
  if (text === '') return false;
  const query = parseQuery(text);
  return query.ok && query.value.has('watch');
}

/**
 * Redirects to the URI without the slash: LDP resources have no slash at the end of their URI
 * (http-api L-3).
 */
function withoutSlash(request: HttpRequest, uri: string, headers: LdpHeaders): HttpResponse {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return {
    status: isRead ? 301 : 308,
    headers: [['Location', uri], ...headers.links(uri, undefined), plainText, ['Cache-Control', 'no-cache']],
    body: `See ${uri}\n`,
  };
}
