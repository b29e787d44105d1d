import { refuseUnlessJson } from '../../json-reply.ts';
import { count } from '../../parameters.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import type { Contexts } from './service.ts';

/** Handles the list of graphs, at `/context/list` and at `/context` (http-api 2.3). */
export async function listGraphs(
  contexts: Contexts,
  base: string,
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const offset = count(query, 'offset');
  if (!offset.ok) return refusal(offset.error, request);
  const limit = count(query, 'limit');
  if (!limit.ok) return refusal(limit.error, request);
  const refused = refuseUnlessJson(request);
  if (refused) return refused;
  const options = {
    labels: query.has('labels'),
    onlyLocal: query.has('filter'),
    offset: offset.value ?? 0,
    limit: limit.value,
  };
  const body = await contexts.list(options, request);
  if (!body.ok) return refusal(body.error, request);
  const headers: Header[] = [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept'],
    ['Content-Location', `${base}/context/list`],
  ];
  return { status: 200, headers, body: body.value };
}
