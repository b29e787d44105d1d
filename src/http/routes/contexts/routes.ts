import { withQuery } from '../../parameters.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { Handler, HttpReply, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { listGraphs } from './list.ts';
import { readGraph } from './read.ts';
import type { ContextOptions, Contexts } from './service.ts';
import { bareTarget, type ContextTarget, directTarget, queriedTarget } from './target.ts';
import { removeGraph, writeGraph } from './write.ts';

type Reply = HttpReply | Promise<HttpReply>;
type Action = (request: HttpRequest, target: ContextTarget, query: Query) => Reply;

/** Routes for named graphs (http-api section 2). */
export function contextRoutes(contexts: Contexts, options: ContextOptions): Route[] {
  const { base } = options;
  const place = `${base}/context`;
  const actions = {
    GET: (request, target, query) => readGraph(contexts, base, request, target, query),
    POST: (request, target) => writeGraph(contexts, options, 'merge', request, target),
    PUT: (request, target) => writeGraph(contexts, options, 'replace', request, target),
    DELETE: (request, target) => removeGraph(contexts, request, target),
  } satisfies Record<string, Action>;

  const queried = (action: Action, bare: (request: HttpRequest, query: Query) => Reply) =>
    withQuery((request, query) => {
      const target = queriedTarget(query, place, contexts.defaultGraph);
      if (!target.ok) return refusal(target.error, request);
      return target.value ? action(request, target.value, query) : bare(request, query);
    });
  const writing = (action: Action) =>
    queried(action, (request, query) => action(request, bareTarget(place), query));
  const direct = (action: Action): Handler =>
    withQuery((request, query, rest) => {
      const target = directTarget(rest, place);
      return target.ok ? action(request, target.value, query) : refusal(target.error, request);
    });

  const { GET, POST, PUT, DELETE } = actions;
  const list = (request: HttpRequest, query: Query) => listGraphs(contexts, base, request, query);
  return [
    { path: '/context/list', methods: { GET: withQuery(list) } },
    {
      path: '/context',
      methods: { GET: queried(GET, list), POST: writing(POST), PUT: writing(PUT), DELETE: writing(DELETE) },
    },
    {
      path: '/context',
      tail: 'any',
      methods: { GET: direct(GET), POST: direct(POST), PUT: direct(PUT), DELETE: direct(DELETE) },
    },
  ];
}
