import { type Failure, failure } from '../../../errors.ts';
import type { ContentInfo } from '../../../services/content/content.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import { decideRead } from '../../headers/conditional.ts';
import { type Header, plainText } from '../../server/header.ts';
import type { HandlerResult, HttpRequest, PendingResult, Rejection } from '../../server/message.ts';
import { readValidators } from '../meta/read.ts';
import { MetaLinks, ResourceAddress } from '../resources/link.ts';
import { isSameType, mimeOf, notAcceptableResponse } from '../resources/negotiation.ts';
import { nameOf, preconditionFailed } from '../resources/target.ts';
import { requestedRange } from './range.ts';
import type { Content } from './service.ts';

/** Handles GET and HEAD of content. */
export class ContentReads {
  readonly #content: Content;
  readonly #base: string;
  readonly #links: MetaLinks;

  /** `base`: base URI of the server, without a trailing slash. */
  constructor(content: Content, base: string) {
    this.#content = content;
    this.#base = base;
    this.#links = new MetaLinks(base);
  }

  /** Handles a path that names the type of the content. */
  read(request: HttpRequest, resource: ResourceName, mime: string): PendingResult {
    const info = this.#content.info(resource, request);
    if (!info) return contentNotFound(resource);
    if (!isSameType(mime, mimeOf(info.contentType))) return notAcceptableResponse(info.contentType);
    const entityTag = entityTagOf(info);
    const validators = readValidators(entityTag, info.modified);
    const decision = decideRead(request, entityTag, info);
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return preconditionFailed(resource);
    const links = this.#links.of(new ResourceAddress(resource, this.#base), '');
    const headers = [...validators, ...describeBytes(info), ...links];
    if (request.method === 'HEAD') return { status: 200, headers, length: info.bytes };
    return sendContent(this.#content, request, info, headers);
  }

  /** Handles a path without a type: redirects to the content. */
  redirect(request: HttpRequest, resource: ResourceName): HandlerResult {
    const info = this.#content.info(resource, request);
    if (!info) return contentNotFound(resource);
    const location = new ResourceAddress(resource, this.#base).link('content', mimeOf(info.contentType));
    const headers: Header[] = [
      ['Location', location],
      plainText,
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ];
    return { status: 303, headers, body: `See ${location}\n` };
  }
}

export function contentNotFound(resource: ResourceName): Failure {
  const uri = nameOf(resource);
  return failure('content-not-found', `<${uri}> has no content.`, { uri });
}

/** Returns the entity tag of content, which has only one representation. */
export function entityTagOf({ state }: Pick<ContentInfo, 'state'>): string {
  return `"${state}"`;
}

/** Returns the bytes, or the requested range of them. `headers`: those of a 200. */
export async function sendContent(
  content: Pick<Content, 'read'>,
  request: HttpRequest,
  info: ContentInfo,
  headers: readonly Header[],
): Promise<HandlerResult> {
  const range = requestedRange(request, info.bytes, entityTagOf(info), info.modified);
  if (range === 'bad-range') return badRange(info.bytes);
  const { start, end } = range ?? { start: 0, end: info.bytes };
  const read = await content.read(info, start, end);
  if (!read.ok) return read;
  const body = read.value;
  const length = end - start;
  if (!range) return { status: 200, headers, body, length };
  const contentRange: Header = ['Content-Range', `bytes ${start}-${end - 1}/${info.bytes}`];
  return { status: 206, headers: [...headers, contentRange], body, length };
}

/**
 * Returns the headers that describe content. Client-supplied bytes have the same origin as the
 * interface, so a browser must not execute them (1.13).
 */
export function describeBytes({
  contentType,
  digest,
}: Pick<ContentInfo, 'contentType' | 'digest'>): Header[] {
  return [
    ['Content-Type', contentType],
    ['Accept-Ranges', 'bytes'],
    ['Content-Security-Policy', 'sandbox'],
    ['Repr-Digest', `sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`],
  ];
}

function badRange(bytes: number): Rejection {
  const message = `The content has ${bytes} bytes, none of them in the requested range.`;
  const headers: Header[] = [
    ['Content-Range', `bytes */${bytes}`],
    ['Accept-Ranges', 'bytes'],
  ];
  return { ...failure('bad-range', message), headers };
}
