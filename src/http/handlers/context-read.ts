import { AppError, type ErrorData, toErrorData } from '../../errors.ts';
import { negotiateRdf, type RdfChoice } from '../../rdf/accept.ts';
import { readableTypes } from '../../rdf/media-types.ts';
import type { ContextInfo } from '../../services/contexts.ts';
import { decideRead } from '../conditional.ts';
import { formatEntityTag } from '../entity-tag.ts';
import { fileName } from '../file-name.ts';
import { formatHttpDate } from '../http-date.ts';
import type { Header, HttpReply, HttpRequest } from '../message.ts';
import { problemReply, refusal } from '../problem.ts';
import type { Query } from '../query.ts';
import type { Contexts } from './context-service.ts';
import { type ContextTarget, canonicalUrl } from './context-target.ts';

/** GET and HEAD of a graph (C-10 to C-12). */
export function readGraph(
  contexts: Contexts,
  base: string,
  request: HttpRequest,
  { graph }: ContextTarget,
  query: Query,
): HttpReply | Promise<HttpReply> {
  const info = contexts.info(graph);
  if (!info) return problemReply(graphNotFound(graph), request);
  const choice = negotiateRdf(request.header('accept'), query.get('format'), 'rdfjson');
  if (!choice) return problemReply(notAcceptable(), request);
  const entityTag = formatEntityTag(info.state, choice.format.shortName);
  const validators = readValidators(entityTag, info.modified);
  const decision = decideRead(request, entityTag, info);
  if (decision === 'not-modified') return { status: 304, headers: validators };
  if (decision === 'precondition-failed') return problemReply(preconditionFailed(graph), request);
  const headers = [...validators, ...representationHeaders(info, choice, base)];
  if (request.method === 'HEAD') return { status: 200, headers };
  return sendGraph(contexts, request, info, choice, headers);
}

async function sendGraph(
  contexts: Contexts,
  request: HttpRequest,
  info: ContextInfo,
  choice: RdfChoice,
  headers: readonly Header[],
): Promise<HttpReply> {
  const onAbort = (listener: () => void) => request.onAbort(listener);
  const document = await contexts.read(info.name, choice.format.mediaType, onAbort);
  if (!document.ok) return refusal(document.error, request);
  return { status: 200, headers, body: document.value };
}

/** What a 304 carries too (G-74). */
function readValidators(entityTag: string, modified: number): Header[] {
  return [
    ['ETag', entityTag],
    ['Last-Modified', formatHttpDate(Math.min(modified, Date.now()))],
    ['Vary', 'Accept'],
    ['Cache-Control', 'no-cache'],
  ];
}

function representationHeaders(info: ContextInfo, choice: RdfChoice, base: string): Header[] {
  return [
    ['Content-Type', choice.contentType],
    ['Content-Disposition', `attachment; filename="${fileName(info.name, choice.format.extension)}"`],
    ['Link', `<${canonicalUrl(info.name, base)}>; rel="canonical"`],
  ];
}

export function graphNotFound(graph: string): ErrorData {
  return toErrorData(new AppError('graph-not-found', `There is no graph <${graph}>.`, { uri: graph }));
}

export function preconditionFailed(graph: string): ErrorData {
  const message = 'The graph is not in the state that the request asks for.';
  return toErrorData(new AppError('precondition-failed', message, { uri: graph }));
}

function notAcceptable(): ErrorData {
  const message = 'The graph is not available in any of the types asked for.';
  return toErrorData(new AppError('not-acceptable', message, { available: readableTypes }));
}
