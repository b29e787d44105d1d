import { type ErrorData, errorData } from '../../../errors.ts';
import type { LdpKind } from '../../../ldp/model/kinds.ts';
import { descriptionOf } from '../../../ldp/model/names.ts';
import { formatByMediaType, parseContentType, readableTypes } from '../../../rdf/media-types/media-types.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { type Rel, ResourceAddress } from './link.ts';
import type { Representation } from './negotiation.ts';
import type { ResourceOptions, Resources } from './service.ts';
import { resourceNotFound } from './target.ts';

/** Stores a body at a resource as if it had been sent to `Location`. */
export type StoreDirectly = (
  request: HttpRequest,
  uri: string,
  representation: Representation,
) => HttpReply | Promise<HttpReply>;

const textHeader = ['Content-Type', 'text/plain; charset=utf-8'] as const;

/** Handles POST: creates a resource. `location`: its address. */
export async function createResource(
  resources: Resources,
  request: HttpRequest,
  uri: string,
  location: string,
): Promise<HttpReply> {
  const exists = resources.view({ kind: 'uri', uri }) !== undefined;
  const forbidden = exists ? undefined : resources.writable(uri);
  if (forbidden) return refusal(forbidden, request);
  const created = await resources.create(uri);
  if (!created.ok) return refusal(created.error, request);
  return {
    status: created.value.created ? 201 : 302,
    headers: [['Location', location], textHeader],
    body: uri,
  };
}

/** Handles DELETE. */
export async function removeResource(
  resources: Resources,
  request: HttpRequest,
  uri: string,
): Promise<HttpReply> {
  const resource = { kind: 'uri', uri } as const;
  if (!resources.view(resource)) return problemReply(resourceNotFound(resource), request);
  const forbidden = resources.writable(uri);
  if (forbidden) return refusal(forbidden, request);
  const removed = await resources.remove(uri);
  if (!removed.ok) return refusal(removed.error, request);
  if (!removed.value) return problemReply(resourceNotFound(resource), request);
  return { status: 200, headers: [textHeader], body: `Removed <${uri}>.\n` };
}

/** Handles PUT: redirects to the URL for data of that type, or stores them. */
export function putResource(
  resources: Resources,
  { base, putMode, defaultRel }: ResourceOptions,
  store: StoreDirectly,
  request: HttpRequest,
  uri: string,
): HttpReply | Promise<HttpReply> {
  const header = request.header('content-type');
  if (!header) return problemReply(missingType(), request);
  const resource = { kind: 'uri', uri } as const;
  if (!resources.view(resource)) return problemReply(resourceNotFound(resource), request);
  const representation = puttable(header, defaultRel);
  if (!representation) return problemReply(unsupported(header), request);
  if (resources.isLdp(uri)) {
    const place = ldpPlace(uri, representation.rel, resources.ldpKind(uri));
    return place === undefined ? problemReply(unsupported(header), request) : seeOther(place);
  }
  if (putMode === 'direct') return store(request, uri, representation);
  return seeOther(new ResourceAddress(resource, base).link(representation.rel, representation.mime));
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

function seeOther(location: string): HttpReply {
  const headers = [['Location', location], ['Cache-Control', 'no-cache'], textHeader] as const;
  return { status: 303, headers, body: `Put it at ${location}\n` };
}

function missingType(): ErrorData {
  return errorData('missing-parameter', 'The header Content-Type is missing.');
}

function unsupported(header: string): ErrorData {
  const message = `Data of the type '${header}' can't be stored here.`;
  return errorData('unsupported-media-type', message, { available: readableTypes });
}
