import type { Result } from '../../errors.ts';
import type { Selection } from '../../pool/messages.ts';
import type { LdPathService } from '../../services/ldpath.ts';
import { jsonReply, refuseUnlessJson } from '../json-reply.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { required, requiredNode, withQuery } from '../parameters.ts';
import { refusal } from '../problem.ts';
import type { Query } from '../query.ts';
import type { Route } from '../router.ts';
import { readText } from './ldpath-body.ts';
import { declaredNamespaces } from './ldpath-namespaces.ts';

type LdPath = Pick<LdPathService, 'evaluate'>;

/** Evaluation of one path or program (http-api 4.1 to 4.3). `maxBytes`: of a program, unpacked. */
export function ldPathRoutes(service: LdPath, limits: { readonly maxBytes: number }): Route[] {
  const get = (mode: 'path' | 'program') =>
    withQuery((request, query) => {
      const source = required(query, mode);
      const start = requiredNode(query, 'uri');
      return evaluate(service, mode, source, start, request, query);
    });
  const post = withQuery((request, query) => evaluatePosted(service, limits.maxBytes, request, query));
  return [
    { path: '/ldpath/path', methods: { GET: get('path') } },
    { path: '/ldpath/program', methods: { GET: get('program'), POST: post } },
  ];
}

function evaluate(
  service: LdPath,
  mode: 'path' | 'program',
  source: Result<string>,
  start: Result<string>,
  request: HttpRequest,
  query: Query,
): HttpReply | Promise<HttpReply> {
  if (!source.ok) return refusal(source.error, request);
  if (!start.ok) return refusal(start.error, request);
  const selection = selectionOf(mode, source.value, query);
  if (!selection.ok) return refusal(selection.error, request);
  const refused = refuseUnlessJson(request);
  if (refused) return refused;
  return service
    .evaluate(selection.value, start.value, 'result', (listener) => request.onAbort(listener))
    .then((answer) => (answer.ok ? jsonReply(answer.value) : refusal(answer.error, request)));
}

async function evaluatePosted(
  service: LdPath,
  maxBytes: number,
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const start = requiredNode(query, 'uri');
  if (!start.ok) return refusal(start.error, request);
  const body = await readText(request, maxBytes);
  if (!body.ok) return refusal(body.error, request);
  const source = body.value === '' ? required(query, 'program') : body;
  // Returned as it is, a promise would take two more turns of the microtask queue.
  return await evaluate(service, 'program', source, start, request, query);
}

/** A path or program with the prefixes that the request declares. */
export function selectionOf(mode: 'path' | 'program', source: string, query: Query): Result<Selection> {
  if (!query.namespaces()) return { ok: true, value: { mode, source } };
  const namespaces = declaredNamespaces(query);
  return namespaces.ok ? { ok: true, value: { mode, source, namespaces: namespaces.value } } : namespaces;
}
