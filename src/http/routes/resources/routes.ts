import type { ResourceName } from '../../../services/resources/existence.ts';
import { withQuery } from '../../parameters.ts';
import { problemReply } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { Handler, HttpReply, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { Redirects, redirectToRepresentation } from './read.ts';
import type { ResourceOptions, Resources } from './service.ts';
import { localResource, missingResource, queriedResource } from './target.ts';
import { createResource, putResource, removeResource, type StoreDirectly } from './write.ts';

type Reply = HttpReply | Promise<HttpReply>;
type Action = (request: HttpRequest, resource: ResourceName, query: Query) => Reply;
type UriAction = (request: HttpRequest, uri: string) => Reply;

/** Clients test for existence by looking for GET in the value, but not at its beginning. */
const ALLOW_EXISTING = 'PUT, GET, HEAD, DELETE, POST, OPTIONS';
const ALLOW_MISSING = 'POST';

/** Routes for resources (http-api 3.1 to 3.5). `store`: implements PUT in mode `direct`. */
export function resourceRoutes(
  resources: Resources,
  options: ResourceOptions,
  store: StoreDirectly,
): Route[] {
  const { base } = options;
  const redirects = new Redirects(base);
  const get: Action = (request, resource, query) =>
    redirectToRepresentation(resources, base, redirects, request, resource, query);
  const put = ofUri((request, uri) => putResource(resources, options, store, request, uri));
  const remove = ofUri((request, uri) => removeResource(resources, request, uri));
  const local = (action: Action): Handler =>
    withQuery((request, query, rest) => {
      const resource = localResource(rest, base);
      return resource.ok ? action(request, resource.value, query) : problemReply(resource.error, request);
    });
  const postQueried = withQuery((request, query) => {
    const resource = query.get('uri') === undefined ? undefined : queriedResource(query);
    if (resource && !resource.ok) return problemReply(resource.error, request);
    if (resource?.value?.kind !== 'uri') {
      const uri = resources.freshUri();
      return createResource(resources, request, uri, uri);
    }
    const { uri } = resource.value;
    return createResource(resources, request, uri, `${base}/resource?uri=${encodeURIComponent(uri)}`);
  });
  const postLocal = ofUri((request, uri) => createResource(resources, request, uri, uri));
  const existence: Action = (_request, resource) => allowedReply(resources.view(resource) !== undefined);
  return [
    {
      path: '/resource',
      methods: { GET: queried(get), POST: postQueried, PUT: queried(put), DELETE: queried(remove) },
      options: queried(existence, () => allowedReply(false)),
    },
    {
      path: '/resource',
      tail: 'any',
      methods: { GET: local(get), POST: local(postLocal), PUT: local(put), DELETE: local(remove) },
      options: local(existence),
    },
  ];
}

function queried(action: Action, bare: (request: HttpRequest) => Reply = missing): Handler {
  return withQuery((request, query) => {
    const resource = queriedResource(query);
    if (!resource.ok) return problemReply(resource.error, request);
    return resource.value ? action(request, resource.value, query) : bare(request);
  });
}

/** Blank nodes are read-only. For other methods they count as a missing parameter `uri`. */
function ofUri(action: UriAction): Action {
  return (request, resource) => (resource.kind === 'uri' ? action(request, resource.uri) : missing(request));
}

function missing(request: HttpRequest): HttpReply {
  return problemReply(missingResource(), request);
}

function allowedReply(exists: boolean): HttpReply {
  const allow = exists ? ALLOW_EXISTING : ALLOW_MISSING;
  return {
    status: 200,
    headers: [
      ['Allow', allow],
      ['Access-Control-Allow-Methods', allow],
    ],
  };
}
