import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { Handler, HttpRequest, PendingResult } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { graphOperations, listGraphs, localGraphOperations } from './operations.ts';
import { GraphReads } from './read.ts';
import type { Contexts, WatchableContextOptions } from './service.ts';
import { bareTarget, type ContextTarget, directTarget, queriedTarget } from './target.ts';
import { GraphWrites } from './write.ts';

type Action = (request: HttpRequest, target: ContextTarget, query: Query) => PendingResult;

/** Routes for named graphs (http-api section 2). */
export function contextRoutes(contexts: Contexts, options: WatchableContextOptions): Route[] {
  const { base, maxBytes, earlier, watch } = options;
  const place = `${base}/context`;
  const reads = new GraphReads(contexts, options);
  const writes = new GraphWrites(contexts, maxBytes);
  const list = (request: HttpRequest, query: Query) => reads.list(request, query);
  const actions = {
    GET: (request, { graph }, query) => {
      const asItWas = earlier.read(request, graph, query);
      if (asItWas) return asItWas;
      const exists = () => contexts.info(graph, request) !== undefined;
      if (!query.has('watch') || !exists()) return reads.read(request, graph, query);
      return watch.follow(request, { graph }, exists);
    },
    POST: (request, target) => writes.merge(request, target),
    PUT: (request, target) => writes.replace(request, target),
    DELETE: (request, target) => writes.remove(request, target),
  } satisfies Record<string, Action>;

  const queried = (action: Action, bare: (request: HttpRequest, query: Query) => PendingResult) =>
    withQuery((request, query) => {
      const target = queriedTarget(query, place, contexts.defaultGraph);
      if (!target.ok) return target;
      return target.value ? action(request, target.value, query) : bare(request, query);
    });
  const writing = (action: Action) =>
    queried(action, (request, query) => action(request, bareTarget(place), query));
  const direct = (action: Action): Handler =>
    withQuery((request, query, rest) => {
      const target = directTarget(rest, place);
      return target.ok ? action(request, target.value, query) : target;
    });

  const { GET, POST, PUT, DELETE } = actions;
  return [
    { path: '/context/list', methods: { GET: endpoint(withQuery(list), listGraphs) } },
    {
      path: '/context',
      methods: {
        GET: endpoint(queried(GET, list), graphOperations.GET),
        POST: endpoint(writing(POST), graphOperations.POST),
        PUT: endpoint(writing(PUT), graphOperations.PUT),
        DELETE: endpoint(writing(DELETE), graphOperations.DELETE),
      },
    },
    {
      path: '/context',
      tail: 'any',
      methods: {
        GET: endpoint(direct(GET), localGraphOperations.GET),
        POST: endpoint(direct(POST), localGraphOperations.POST),
        PUT: endpoint(direct(PUT), localGraphOperations.PUT),
        DELETE: endpoint(direct(DELETE), localGraphOperations.DELETE),
      },
    },
  ];
}
