import { seesEverything } from '../../base/graph-access.ts';
import { writePrecondition } from '../../http/headers/conditional.ts';
import { formatEntityTag } from '../../http/headers/entity-tag.ts';
import { linkTargets } from '../../http/headers/link-header.ts';
import { mimeOf } from '../../http/routes/resources/negotiation.ts';
import { type Header, plainText } from '../../http/server/header.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../http/server/message.ts';
import { turtle } from '../../rdf/media-types/media-types.ts';
import { requestedModel } from '../main/interaction-model.ts';
import { changeDenial, creationDenial, removalDenial } from '../main/permissions/denials.ts';
import type { LdpWritten } from '../main/written.ts';
import { isContainer, type LdpKind } from '../model/kinds.ts';
import { missing, unsupportedMethod } from './errors.ts';
import { acceptPatch, acceptPost, type LdpHeaders } from './headers.ts';
import { patchOf, payloadOf, unfitType } from './request-body.ts';
import type { Ldp, LdpOptions } from './service.ts';

/** Handles POST, PUT, PATCH and DELETE of LDP resources (http-api 5.6 to 5.11). */
export class LdpWriteHandlers {
  readonly #ldp: Ldp;
  readonly #headers: LdpHeaders;
  readonly #options: LdpOptions;

  constructor(ldp: Ldp, headers: LdpHeaders, options: LdpOptions) {
    this.#ldp = ldp;
    this.#headers = headers;
    this.#options = options;
  }

  async post(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const denied = changeDenial(this.#ldp.space, uri, request);
    if (denied) return rejection(denied);
    const kind = this.#kind(uri);
    if (kind === undefined) return missing(this.#ldp.space, uri, request);
    if (!isContainer(kind)) return unsupportedMethod(request.method, uri);
    const requested = requestedOf(request);
    const model = requested.ok ? requested.value : null;
    const payload = payloadOf(request, model, undefined, this.#options);
    if (!payload.ok) return { ...payload, headers: [acceptPost] };
    const unfit = unfitType(payload.value, model);
    if (unfit) return { ...unfit, headers: [acceptPost] };
    const slug = request.header('slug');
    const post = { slug, requested, payload: payload.value, precondition: writePrecondition(request) };
    const written = await this.#ldp.writes.post(uri, post, request);
    if (!written.ok) return written;
    return { status: 201, headers: this.#created(written.value, kind) };
  }

  async put(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const { space } = this.#ldp;
    const isNew = space.entry(uri) === undefined;
    const denied = changeDenial(space, uri, request) ?? (isNew && creationDenial(space, uri, request));
    if (denied) return rejection(denied);
    const kind = this.#kind(uri);
    const requested = requestedOf(request);
    const model = requested.ok ? requested.value : null;
    const stored = kind === 'binary' ? space.content(uri)?.contentType : undefined;
    const payload = payloadOf(request, model, stored && mimeOf(stored), this.#options);
    if (!payload.ok) return payload;
    const unfit = isNew ? unfitType(payload.value, model) : undefined;
    if (unfit) return unfit;
    const put = { requested, payload: payload.value, precondition: writePrecondition(request) };
    const written = await this.#ldp.writes.put(uri, put, request);
    if (!written.ok) return written;
    const tag = tagOfBinary(written.value);
    if (written.value.created) {
      return { status: 201, headers: [...this.#created(written.value, written.value.kind), ...tag] };
    }
    const headers = [...this.#headers.links(uri, written.value.kind), ...tag, plainText];
    return { status: 200, headers, body: `Replaced <${uri}>.\n` };
  }

  async patch(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const denied = changeDenial(this.#ldp.space, uri, request);
    if (denied) return rejection(denied);
    const kind = this.#kind(uri);
    if (kind === undefined) return missing(this.#ldp.space, uri, request);
    if (kind === 'binary') return unsupportedMethod(request.method, uri);
    const document = patchOf(request, this.#options);
    if (!document.ok) return { ...document, headers: [acceptPatch] };
    const patch = { document: document.value, precondition: writePrecondition(request) };
    const written = await this.#ldp.writes.patch(uri, patch, request);
    if (!written.ok) return written;
    const links = this.#headers.links(uri, kind);
    // The state is that of a client that sees everything.
    if (!seesEverything(request)) return { status: 204, headers: links };
    const entityTag = formatEntityTag(written.value.state, this.#options.variants.variantOf(turtle));
    return { status: 204, headers: [...links, ['ETag', entityTag]] };
  }

  async remove(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const { space } = this.#ldp;
    const denied = changeDenial(space, uri, request);
    if (denied) return rejection(denied);
    const kind = this.#kind(uri);
    if (kind === undefined) return missing(space, uri, request);
    const isKept = kind === 'description' || uri === space.root;
    if (isKept) return unsupportedMethod(request.method, uri);
    const removalDenied = removalDenial(space, uri, request);
    if (removalDenied) return rejection(removalDenied);
    const removed = await this.#ldp.writes.remove(uri, writePrecondition(request), request);
    if (!removed.ok) return removed;
    return { status: 204, headers: this.#headers.links(uri, undefined) };
  }

  /** `kind`: of the request's target. */
  #created({ uri, kind: created }: LdpWritten, kind: LdpKind): Header[] {
    return [['Location', uri], ...this.#headers.createdLinks(uri, created, kind)];
  }

  #kind(uri: string): LdpKind | undefined {
    const entry = this.#ldp.space.entry(uri);
    return entry === undefined || entry === 'gone' ? undefined : entry.kind;
  }
}

function requestedOf(request: HttpRequest): ReturnType<typeof requestedModel> {
  return requestedModel(linkTargets(request.header('link'), 'type'));
}

/**
 * Returns the entity tag of a new binary. RDF is not stored as it was sent, so the client does not
 * know a representation of the new state (G-80).
 */
function tagOfBinary({ kind, state }: LdpWritten): Header[] {
  return kind === 'binary' ? [['ETag', `"${state}"`]] : [];
}
