import { conditionHolds } from '../../../base/precondition.ts';
import type { Result } from '../../../errors.ts';
import type { JsonMeaning } from '../../../rdf/media-types/media-types.ts';
import type { WriteOutcome } from '../../../services/contexts/contexts.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import { writePrecondition } from '../../headers/conditional.ts';
import { rdfBodyType } from '../../headers/rdf-body.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { graphNotFound, preconditionFailed } from './read.ts';
import type { ContextOptions, Contexts } from './service.ts';
import type { ContextTarget } from './target.ts';

/** Reads the documents of a body. `baseIri`: the base for their relative IRIs. */
export type ReadDocuments = (baseIri: string, maxBytes: number) => Promise<Result<RdfPayload[]>>;

/** Returns how to read the documents in the body of a request. Examines only the head. */
export type DocumentsOf = (request: HttpRequest) => Result<ReadDocuments>;

/** Reads the body as one document. `jsonMeans`: the format that `application/json` denotes. */
export function wholeBody(jsonMeans: JsonMeaning): DocumentsOf {
  return (request) => {
    const type = rdfBodyType(request, jsonMeans);
    if (!type.ok) return type;
    const { format, gzip, charset } = type.value;
    const read: ReadDocuments = async (baseIri, maxBytes) => {
      const body = await request.readBody(maxBytes);
      if (!body.ok) return body;
      const payload = { body: body.value, mediaType: format.mediaType, gzip, baseIri };
      return { ok: true, value: [{ ...payload, ...(charset && { charset }) }] };
    };
    return { ok: true, value: read };
  };
}

/** Handles POST (merge) and PUT (replace). Errors are checked in the order of http-api 1.10. */
export async function writeGraph(
  contexts: Contexts,
  options: ContextOptions,
  kind: 'merge' | 'replace',
  request: HttpRequest,
  target: ContextTarget,
  documentsOf: DocumentsOf = wholeBody('rdfjson'),
): Promise<HttpReply> {
  const { graph } = target;
  const forbidden = contexts.writable(graph);
  if (forbidden?.code === 'writes-disabled') return problemReply(forbidden, request);
  const read = documentsOf(request);
  if (!read.ok) return problemReply(read.error, request);
  const precondition = writePrecondition(request, graph);
  if (precondition && !conditionHolds(precondition, contexts.info(graph))) {
    return problemReply(preconditionFailed(graph), request);
  }
  const documents = await read.value(graph, options.maxBytes);
  if (!documents.ok) return refusal(documents.error, request);
  const [first, ...more] = documents.value;
  const outcome =
    first && more.length === 0
      ? await contexts.write(kind, graph, first, precondition, request)
      : await contexts.mergeAll(graph, documents.value, precondition, request);
  return outcome.ok ? written(kind, target, outcome.value) : refusal(outcome.error, request);
}

function written(kind: 'merge' | 'replace', target: ContextTarget, outcome: WriteOutcome): HttpReply {
  if (outcome.created) return { status: 201, headers: [['Location', target.url]] };
  if (kind === 'replace' || outcome.payloadSize === 0) return { status: 204, headers: [] };
  const body = JSON.stringify({ uri: target.graph, size: outcome.size, added: outcome.added });
  return { status: 200, headers: [['Content-Type', 'application/json']], body };
}

/** Handles DELETE (C-18 to C-20). */
export async function removeGraph(
  contexts: Contexts,
  request: HttpRequest,
  { graph }: ContextTarget,
): Promise<HttpReply> {
  const forbidden = contexts.writable(graph);
  if (forbidden?.code === 'writes-disabled') return problemReply(forbidden, request);
  const info = contexts.info(graph);
  if (!info) return problemReply(forbidden ?? graphNotFound(graph), request);
  const precondition = writePrecondition(request, graph);
  if (precondition && !conditionHolds(precondition, info))
    return problemReply(preconditionFailed(graph), request);
  if (forbidden) return refusal(forbidden, request);
  const removed = await contexts.remove(graph, precondition);
  if (!removed.ok) return refusal(removed.error, request);
  const headers = [['Content-Type', 'text/plain; charset=utf-8']] as const;
  return { status: 200, headers, body: `Removed <${graph}>.\n` };
}
