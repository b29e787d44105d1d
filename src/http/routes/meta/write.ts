import { type Precondition, preconditionHolds } from '../../../base/precondition.ts';
import { type Failure, failure, type Result } from '../../../errors.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import { writePrecondition } from '../../headers/conditional.ts';
import { type RdfBodyType, rdfBodyTypeOf } from '../../headers/rdf-body.ts';
import { plainText } from '../../server/header.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../server/message.ts';
import { preconditionFailed } from '../resources/target.ts';
import type { Meta } from './service.ts';

/**
 * Handles PUT and DELETE of descriptions. Errors are checked in the order of
 * http-api 1.10.
 */
export class DescriptionWrites {
  readonly #meta: Meta;
  readonly #maxBytes: number;

  /** `maxBytes`: of an RDF body. */
  constructor(meta: Meta, maxBytes: number) {
    this.#meta = meta;
    this.#maxBytes = maxBytes;
  }

  /** `mime`: the type of the body. */
  async replace(request: HttpRequest, uri: string, mime: string): Promise<HandlerResult> {
    const forbidden = this.#meta.writable(uri);
    if (forbidden?.code === 'writes-disabled') return rejection(forbidden);
    const type = rdfBodyTypeOf(mime, request, 'rdfjson');
    if (!type.ok) return type;
    const precondition = writePrecondition(request);
    const failed = precondition && (await this.#unmet(request, uri, precondition));
    if (failed) return failed;
    const body = await request.readBody(this.#maxBytes);
    if (!body.ok) return body;
    if (body.value.length === 0) return failure('empty-body', 'The body is empty.');
    const payload = payloadOf(body.value, type.value, uri);
    const outcome = await this.#meta.replace(uri, payload, precondition, request);
    if (!outcome.ok) return outcome;
    const { created, added, removed, ignored } = outcome.value;
    return {
      status: created ? 201 : 200,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ uri, added, removed, ignored }),
    };
  }

  async remove(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const forbidden = this.#meta.writable(uri);
    if (forbidden?.code === 'writes-disabled') return rejection(forbidden);
    if (!this.#meta.hasDescription(uri, request)) {
      return failure('resource-not-found', `<${uri}> has no description.`, { uri });
    }
    const precondition = writePrecondition(request);
    const failed = precondition && (await this.#unmet(request, uri, precondition));
    if (failed) return failed;
    if (forbidden) return rejection(forbidden);
    const removed = await this.#meta.remove(uri, precondition, request);
    if (!removed.ok) return removed;
    return { status: 200, headers: [plainText], body: `Removed the description of <${uri}>.\n` };
  }

  /**
   * Returns the error if a precondition does not hold now. The store checks it again when it
   * executes the write.
   */
  async #unmet(request: HttpRequest, uri: string, precondition: Precondition): Promise<Failure | undefined> {
    const resource = { kind: 'uri', uri } as const;
    const exists = this.#meta.view(resource, request) !== undefined;
    const found: Result<{ state: string; modified: number } | undefined> = exists
      ? await this.#meta.info(resource, request)
      : { ok: true, value: undefined };
    if (!found.ok) return found;
    return preconditionHolds(precondition, found.value) ? undefined : preconditionFailed(resource);
  }
}

function payloadOf(body: Uint8Array, type: RdfBodyType, baseIri: string): RdfPayload {
  const { format, gzip, charset } = type;
  return { body, mediaType: format.mediaType, gzip, baseIri, ...(charset && { charset }) };
}
