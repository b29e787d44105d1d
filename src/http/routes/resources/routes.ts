import type { ResourceName } from '../../../services/resources/existence.ts';
import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { Handler, HttpRequest, HttpResponse, PendingResult } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { localResourceOperations, resourceOperations } from './operations.ts';
import { ResourceReads } from './read.ts';
import type { ResourceOptions, Resources } from './service.ts';
import { localResource, missingResource, queriedResource } from './target.ts';
import { ResourceWrites, type StoreDirectly } from './write.ts';

type Action = (request: HttpRequest, resource: ResourceName, query: Query) => PendingResult;
type UriAction = (request: HttpRequest, uri: string) => PendingResult;

/** Clients test for existence by looking for GET in the value, but not at its beginning. */
const ALLOW_EXISTING = 'PUT, GET, HEAD, DELETE, POST, OPTIONS';
const ALLOW_MISSING = 'POST';

/** Routes for resources (http-api 3.1 to 3.5). `store`: implements PUT in mode `direct`. */
export function resourceRoutes(
  resources: Resources,
  options: ResourceOptions,
  store: StoreDirectly,
): Route[] {
  const { base, watch } = options;
  const reads = new ResourceReads(resources, options);
  const writes = new ResourceWrites(resources, options, store);
  const get: Action = (request, resource, query) => {
    const exists = () => resources.view(resource, request) !== undefined;
    if (!query.has('watch') || !exists()) return reads.redirect(request, resource, query);
    const subject = resource.kind === 'uri' ? `<${resource.uri}>` : `_:${resource.label}`;
    return watch.follow(request, { subject }, exists);
  };
  const put = ofUri((request, uri) => writes.put(request, uri));
  const remove = ofUri((request, uri) => writes.remove(request, uri));
  const local = (action: Action): Handler =>
    withQuery((request, query, rest) => {
      const resource = localResource(rest, base);
      return resource.ok ? action(request, resource.value, query) : resource;
    });
  const postQueried = withQuery((request, query) => {
    const resource = query.get('uri') === undefined ? undefined : queriedResource(query);
    if (resource && !resource.ok) return resource;
    if (resource?.value?.kind !== 'uri') {
      const uri = resources.freshUri();
      return writes.create(request, { uri, location: uri, isFresh: true });
    }
    const { uri } = resource.value;
    const location = `${base}/resource?uri=${encodeURIComponent(uri)}`;
    return writes.create(request, { uri, location, isFresh: false });
  });
  const postLocal = ofUri((request, uri) => writes.create(request, { uri, location: uri, isFresh: false }));
  const existence: Action = (request, resource) =>
    allowedResponse(resources.view(resource, request) !== undefined);
  return [
    {
      path: '/resource',
      methods: {
        GET: endpoint(queried(get), resourceOperations.GET),
        POST: endpoint(postQueried, resourceOperations.POST),
        PUT: endpoint(queried(put), resourceOperations.PUT),
        DELETE: endpoint(queried(remove), resourceOperations.DELETE),
      },
      options: endpoint(
        queried(existence, () => allowedResponse(false)),
        resourceOperations.OPTIONS,
      ),
    },
    {
      path: '/resource',
      tail: 'any',
      methods: {
        GET: endpoint(local(get), localResourceOperations.GET),
        POST: endpoint(local(postLocal), localResourceOperations.POST),
        PUT: endpoint(local(put), localResourceOperations.PUT),
        DELETE: endpoint(local(remove), localResourceOperations.DELETE),
      },
      options: endpoint(local(existence), localResourceOperations.OPTIONS),
    },
  ];
}

function queried(action: Action, bare: () => PendingResult = missingResource): Handler {
  return withQuery((request, query) => {
    const resource = queriedResource(query);
    if (!resource.ok) return resource;
    return resource.value ? action(request, resource.value, query) : bare();
  });
}

/** Blank nodes are read-only. For other methods they count as a missing parameter `uri`. */
function ofUri(action: UriAction): Action {
  return (request, resource) => (resource.kind === 'uri' ? action(request, resource.uri) : missingResource());
}

function allowedResponse(exists: boolean): HttpResponse {
  const allow = exists ? ALLOW_EXISTING : ALLOW_MISSING;
  return {
    status: 200,
    headers: [
      ['Allow', allow],
      ['Access-Control-Allow-Methods', allow],
    ],
  };
}
