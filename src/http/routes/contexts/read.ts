import { type ErrorData, errorData } from '../../../errors.ts';
import { negotiateRdf, type RdfChoice } from '../../../rdf/media-types/accept.ts';
import { RDF_XML, type RdfFormat, readableTypes } from '../../../rdf/media-types/media-types.ts';
import type { ContextInfo } from '../../../services/contexts/contexts.ts';
import { decideRead } from '../../headers/conditional.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { fileName } from '../../headers/file-name.ts';
import { formatLastModified } from '../../headers/last-modified.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import type { Contexts } from './service.ts';
import { type ContextTarget, canonicalUrl } from './target.ts';

/** A format that can't represent the graph, and the reason. */
interface Unwritable {
  readonly format: RdfFormat;
  readonly error: ErrorData;
}

/**
 * Handles GET and HEAD of a graph (C-10 to C-12). `unwritable`: the format that was chosen first
 * and failed (G-54).
 */
export function readGraph(
  contexts: Contexts,
  base: string,
  request: HttpRequest,
  target: ContextTarget,
  query: Query,
  unwritable?: Unwritable,
): HttpReply | Promise<HttpReply> {
  const { graph } = target;
  const info = contexts.info(graph);
  if (!info) return problemReply(graphNotFound(graph), request);
  const choice = negotiateRdf(request.header('accept'), query.get('format'), 'rdfjson', unwritable?.format);
  if (!choice) return problemReply(notAcceptable(unwritable), request);
  const entityTag = formatEntityTag(info.state, choice.format.shortName);
  const validators = readValidators(entityTag, info.modified);
  const decision = decideRead(request, entityTag, info);
  if (decision === 'not-modified') return { status: 304, headers: validators };
  if (decision === 'precondition-failed') return problemReply(preconditionFailed(graph), request);
  const headers = [...validators, ...representationHeaders(info, choice, base)];
  const { format } = choice;
  if (request.method === 'HEAD' && format.mediaType !== RDF_XML) return { status: 200, headers };
  return sendGraph(contexts, request, info, choice, headers, (error) =>
    readGraph(contexts, base, request, target, query, { format, error }),
  );
}

async function sendGraph(
  contexts: Contexts,
  request: HttpRequest,
  info: ContextInfo,
  choice: RdfChoice,
  headers: readonly Header[],
  otherwise: (error: ErrorData) => HttpReply | Promise<HttpReply>,
): Promise<HttpReply> {
  const document = await contexts.read(info.name, choice.format.mediaType, request);
  if (!document.ok) {
    const { error } = document;
    return error.code === 'not-acceptable' ? otherwise(error) : refusal(error, request);
  }
  return { status: 200, headers, body: document.value };
}

/** Returns the headers that a 304 also has (G-74). */
function readValidators(entityTag: string, modified: number): Header[] {
  return [
    ['ETag', entityTag],
    ['Last-Modified', formatLastModified(modified)],
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
  return errorData('graph-not-found', `There is no graph <${graph}>.`, { uri: graph });
}

export function preconditionFailed(graph: string): ErrorData {
  const message = 'The graph is not in the state that the request asks for.';
  return errorData('precondition-failed', message, { uri: graph });
}

function notAcceptable(unwritable: Unwritable | undefined): ErrorData {
  const message = unwritable?.error.message ?? 'The graph is not available in an acceptable type.';
  const available = readableTypes.filter((type) => type !== unwritable?.format.mediaType);
  return errorData('not-acceptable', message, { available });
}
