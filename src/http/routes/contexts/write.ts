import { preconditionHolds } from '../../../base/precondition.ts';
import { noSuchGraph, type Result } from '../../../errors.ts';
import type { JsonMeaning } from '../../../rdf/media-types/media-types.ts';
import type { WriteOutcome } from '../../../services/contexts/contexts.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import { graphPrecondition } from '../../headers/conditional.ts';
import { rdfBodyType } from '../../headers/rdf-body.ts';
import { storesPrefixes } from '../../prefix-parameter.ts';
import { plainText } from '../../server/header.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../server/message.ts';
import { preconditionFailed } from './errors.ts';
import type { Contexts } from './service.ts';
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

/** Handles POST, PUT and DELETE of graphs. Errors are checked in the order of http-api 1.10. */
export class GraphWrites {
  readonly #contexts: Contexts;
  readonly #maxBytes: number;

  /** `maxBytes`: of an RDF body. */
  constructor(contexts: Contexts, maxBytes: number) {
    this.#contexts = contexts;
    this.#maxBytes = maxBytes;
  }

  async merge(
    request: HttpRequest,
    { graph, url }: ContextTarget,
    documentsOf: DocumentsOf = wholeBody('rdfjson'),
  ): Promise<HandlerResult> {
    const outcome = await this.#write('merge', request, graph, documentsOf);
    if (!outcome.ok) return outcome;
    const { created, payloadSize, size, added } = outcome.value;
    if (created) return { status: 201, headers: [['Location', url]] };
    if (payloadSize === 0) return { status: 204, headers: [] };
    const body = JSON.stringify({ uri: graph, size, added });
    return { status: 200, headers: [['Content-Type', 'application/json']], body };
  }

  async replace(request: HttpRequest, { graph, url }: ContextTarget): Promise<HandlerResult> {
    const outcome = await this.#write('replace', request, graph, wholeBody('rdfjson'));
    if (!outcome.ok) return outcome;
    return outcome.value.created
      ? { status: 201, headers: [['Location', url]] }
      : { status: 204, headers: [] };
  }

  /** C-18 to C-20. */
  async remove(request: HttpRequest, { graph }: ContextTarget): Promise<HandlerResult> {
    const denied = this.#contexts.denial(graph, request);
    if (denied) return rejection(denied);
    const forbidden = this.#contexts.writable(graph);
    const info = this.#contexts.info(graph, request);
    if (!info) return forbidden ? rejection(forbidden) : noSuchGraph(graph);
    const precondition = graphPrecondition(request, graph);
    if (precondition && !preconditionHolds(precondition, info)) return preconditionFailed(graph);
    if (forbidden) return rejection(forbidden);
    const removed = await this.#contexts.remove(graph, precondition);
    if (!removed.ok) return removed;
    return { status: 200, headers: [plainText], body: `Removed <${graph}>.\n` };
  }

  async #write(
    kind: 'merge' | 'replace',
    request: HttpRequest,
    graph: string,
    documentsOf: DocumentsOf,
  ): Promise<Result<WriteOutcome>> {
    const learns = storesPrefixes(request);
    if (!learns.ok) return learns;
    const denied = this.#contexts.denial(graph, request);
    if (denied) return rejection(denied);
    const read = documentsOf(request);
    if (!read.ok) return read;
    const precondition = graphPrecondition(request, graph);
    if (precondition && !preconditionHolds(precondition, this.#contexts.info(graph, request))) {
      return preconditionFailed(graph);
    }
    const documents = await read.value(graph, this.#maxBytes);
    if (!documents.ok) return documents;
    const payloads = documents.value;
    const write = { kind, graph, payloads, precondition, storesPrefixes: learns.value };
    return this.#contexts.write(write, request);
  }
}
