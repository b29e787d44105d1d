import { type Failure, failure } from '../../../errors.ts';
import type { LdpKind } from '../../../ldp/model/kinds.ts';
import { descriptionOf } from '../../../ldp/model/names.ts';
import { formatByMediaType, parseContentType, readableTypes } from '../../../rdf/media-types/media-types.ts';
import { writePrecondition } from '../../headers/conditional.ts';
import { plainText } from '../../server/header.ts';
import {
  type HandlerResult,
  type HttpRequest,
  type HttpResponse,
  type PendingResult,
  rejection,
} from '../../server/message.ts';
import { type Rel, ResourceAddress } from './link.ts';
import type { Representation } from './negotiation.ts';
import type { ResourceOptions, Resources } from './service.ts';
import { preconditionFailed, resourceNotFound } from './target.ts';

/** Stores a body at a resource as if it had been sent to `Location`. */
export type StoreDirectly = (
  request: HttpRequest,
  uri: string,
  representation: Representation,
) => PendingResult;

/** A resource that a client creates. */
interface NewResource {
  readonly uri: string;
  /** Its address. */
  readonly location: string;
  /** Whether the server has chosen the URI. */
  readonly isFresh: boolean;
}

/** Handles POST, PUT and DELETE of resources. */
export class ResourceWrites {
  readonly #resources: Resources;
  readonly #options: ResourceOptions;
  readonly #store: StoreDirectly;

  /** `store`: implements PUT in mode `direct`. */
  constructor(resources: Resources, options: ResourceOptions, store: StoreDirectly) {
    this.#resources = resources;
    this.#options = options;
    this.#store = store;
  }

  /** Creates a resource. */
  async create(request: HttpRequest, { uri, location, isFresh }: NewResource): Promise<HandlerResult> {
    const exists = this.#resources.view({ kind: 'uri', uri }, request) !== undefined;
    const denied = exists ? undefined : this.#resources.creationDenial(uri, isFresh, request);
    if (denied) return rejection(denied);
    const forbidden = exists ? undefined : this.#resources.writable(uri);
    if (forbidden) return rejection(forbidden);
    if (!exists && request.header('if-match') !== undefined) {
      return preconditionFailed({ kind: 'uri', uri });
    }
    const created = await this.#resources.create(uri, request);
    if (!created.ok) return created;
    return {
      status: created.value.created ? 201 : 302,
      headers: [['Location', location], plainText],
      body: uri,
    };
  }

  /** The store checks the preconditions. */
  async remove(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const resource = { kind: 'uri', uri } as const;
    if (!this.#resources.view(resource, request)) return resourceNotFound(resource);
    const forbidden = this.#resources.writable(uri);
    if (forbidden) return rejection(forbidden);
    const removed = await this.#resources.remove(uri, writePrecondition(request), request);
    if (!removed.ok) return removed;
    if (!removed.value) return resourceNotFound(resource);
    return { status: 200, headers: [plainText], body: `Removed <${uri}>.\n` };
  }

  /** Redirects to the URL for data of that type, or stores them. */
  put(request: HttpRequest, uri: string): PendingResult {
    const { base, putMode, defaultRel } = this.#options;
    const header = request.header('content-type');
    if (!header) return failure('missing-parameter', 'The header Content-Type is missing.');
    const resource = { kind: 'uri', uri } as const;
    if (!this.#resources.view(resource, request)) return resourceNotFound(resource);
    const representation = puttable(header, defaultRel);
    if (!representation) return unsupported(header);
    if (this.#resources.isLdp(uri)) {
      const place = ldpPlace(uri, representation.rel, this.#resources.ldpKind(uri, request));
      return place === undefined ? unsupported(header) : seeOther(place);
    }
    if (putMode === 'direct') return this.#store(request, uri, representation);
    return seeOther(new ResourceAddress(resource, base).link(representation.rel, representation.mime));
  }
}

/**
 * Returns the URI at which to put a side of an LDP resource, or undefined for content of a
 * resource that is not a binary.
 */
function ldpPlace(uri: string, rel: Rel, kind: LdpKind | undefined): string | undefined {
  if (kind === 'binary') return rel === 'content' ? uri : descriptionOf(uri);
  return rel === 'meta' ? uri : undefined;
}

/**
 * Returns the representation that a `Content-Type` denotes, or undefined if it can't be stored
 * (R-31).
 */
function puttable(header: string, defaultRel: string): Representation | undefined {
  const type = parseContentType(header);
  const rel = type?.rel ?? defaultRel;
  if (!type) return undefined;
  const { mediaType: mime } = type;
  if (rel === 'content') return { rel, mime };
  return rel === 'meta' && formatByMediaType(mime, 'rdfjson', 'input') ? { rel, mime } : undefined;
}

function seeOther(location: string): HttpResponse {
  const headers = [['Location', location], ['Cache-Control', 'no-cache'], plainText] as const;
  return { status: 303, headers, body: `Put it at ${location}\n` };
}

function unsupported(header: string): Failure {
  const message = `Data of the type '${header}' can't be stored here.`;
  return failure('unsupported-media-type', message, { available: readableTypes });
}
