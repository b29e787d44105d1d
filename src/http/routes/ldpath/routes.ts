import type { Result } from '../../../errors.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { jsonReply, refuseUnlessJson } from '../../json-reply.ts';
import { required, requiredNode, withQuery } from '../../parameters.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { readText } from './body-text.ts';
import { declaredNamespaces } from './known-prefixes.ts';
import { targetFirst } from './target.ts';

type LdPath = Pick<LdPathService, 'evaluate' | 'check' | 'missing'>;

/**
 * Routes for the evaluation of one path or program (http-api 4.1 to 4.3). `maxBytes`: of a decoded
 * program.
 */
export function ldPathRoutes(service: LdPath, limits: { readonly maxBytes: number }): Route[] {
  const get = (mode: 'path' | 'program') =>
    withQuery((request, query) => evaluateQueried(service, mode, request, query));
  const post = withQuery((request, query) => evaluatePosted(service, limits.maxBytes, request, query));
  return [
    { path: '/ldpath/path', methods: { GET: get('path') } },
    { path: '/ldpath/program', methods: { GET: get('program'), POST: post } },
  ];
}

function evaluateQueried(
  service: LdPath,
  mode: 'path' | 'program',
  request: HttpRequest,
  query: Query,
): HttpReply | Promise<HttpReply> {
  const source = required(query, mode);
  if (!source.ok) return refusal(source.error, request);
  const start = requiredNode(query, 'uri');
  if (!start.ok) return refusal(start.error, request);
  const selection = selectionOf(mode, source.value, query);
  if (!selection.ok) return refusal(selection.error, request);
  const refused = refuseUnlessJson(request);
  if (refused) return refuseChecked(service, selection.value, start.value, request, refused);
  return evaluate(service, selection.value, start.value, request);
}

/** Reports errors in the parameters, and then in the target, before a 406 (http-api 1.10). */
async function refuseChecked(
  service: LdPath,
  selection: Selection,
  start: string,
  request: HttpRequest,
  refused: HttpReply,
): Promise<HttpReply> {
  const checked = await service.check(selection, request);
  if (!checked.ok) return refusal(checked.error, request);
  return targetFirst(service, [start], request, refused);
}

function evaluate(
  service: LdPath,
  selection: Selection,
  start: string,
  request: HttpRequest,
): Promise<HttpReply> {
  return service
    .evaluate(selection, start, 'result', request)
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
  const namespaces = declaredNamespaces(query);
  if (!namespaces.ok) return refusal(namespaces.error, request);
  const reply =
    refuseUnlessJson(request) ?? (await evaluateBody(service, maxBytes, start.value, request, query));
  return targetFirst(service, [start.value], request, reply);
}

async function evaluateBody(
  service: LdPath,
  maxBytes: number,
  start: string,
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const body = await readText(request, maxBytes);
  if (!body.ok) return refusal(body.error, request);
  const source = body.value === '' ? required(query, 'program') : body;
  if (!source.ok) return refusal(source.error, request);
  const selection = selectionOf('program', source.value, query);
  if (!selection.ok) return refusal(selection.error, request);
  // Returning the promise without `await` would need two more turns of the microtask queue.
  return await evaluate(service, selection.value, start, request);
}

/** Returns a path or program with the prefixes that the request declares. */
export function selectionOf(mode: 'path' | 'program', source: string, query: Query): Result<Selection> {
  if (!query.namespaces()) return { ok: true, value: { mode, source } };
  const namespaces = declaredNamespaces(query);
  return namespaces.ok ? { ok: true, value: { mode, source, namespaces: namespaces.value } } : namespaces;
}
