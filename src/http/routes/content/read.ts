import { AppError, type ErrorData, errorData, toErrorData } from '../../../errors.ts';
import type { ContentInfo } from '../../../services/content/content.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import { decideRead } from '../../headers/conditional.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { readValidators } from '../meta/read.ts';
import { type MetaLinks, ResourceAddress } from '../resources/link.ts';
import { isSameType, mimeOf, notAcceptableReply } from '../resources/negotiation.ts';
import { nameOf, preconditionFailed } from '../resources/target.ts';
import { requestedRange } from './range.ts';
import type { Content } from './service.ts';

/** Handles GET and HEAD of content at a path that names its type. */
export function readContent(
  content: Content,
  base: string,
  links: MetaLinks,
  request: HttpRequest,
  resource: ResourceName,
  mime: string,
): HttpReply | Promise<HttpReply> {
  const info = content.info(resource);
  if (!info) return problemReply(contentNotFound(resource), request);
  if (!isSameType(mime, mimeOf(info.contentType))) return notAcceptableReply(info.contentType);
  const entityTag = `"${info.state}"`;
  const validators = readValidators(entityTag, info.modified);
  const decision = decideRead(request, entityTag, info);
  if (decision === 'not-modified') return { status: 304, headers: validators };
  if (decision === 'precondition-failed') return problemReply(preconditionFailed(resource), request);
  const link: Header = ['Link', links.of(new ResourceAddress(resource, base), '')];
  const headers = [...validators, ...describeBytes(info), link];
  if (request.method === 'HEAD') return { status: 200, headers, length: info.bytes };
  return sendContent(content, request, info, entityTag, headers);
}

/** Handles GET at a path without a type: redirects to the content. */
export function redirectToContent(
  content: Content,
  base: string,
  request: HttpRequest,
  resource: ResourceName,
): HttpReply {
  const info = content.info(resource);
  if (!info) return problemReply(contentNotFound(resource), request);
  const location = new ResourceAddress(resource, base).link('content', mimeOf(info.contentType));
  const headers: Header[] = [
    ['Location', location],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Vary', 'Accept'],
    ['Cache-Control', 'no-cache'],
  ];
  return { status: 303, headers, body: `See ${location}\n` };
}

export function contentNotFound(resource: ResourceName): ErrorData {
  const uri = nameOf(resource);
  return errorData('content-not-found', `<${uri}> has no content.`, { uri });
}

/** Returns the bytes, or the requested range of them. `headers`: those of a 200. */
export async function sendContent(
  content: Pick<Content, 'read'>,
  request: HttpRequest,
  info: ContentInfo,
  entityTag: string,
  headers: readonly Header[],
): Promise<HttpReply> {
  const range = requestedRange(request, info.bytes, entityTag, info.modified);
  if (range === 'bad-range') return badRange(request, info.bytes);
  const { start, end } = range ?? { start: 0, end: info.bytes };
  const read = await content.read(info, start, end);
  if (!read.ok) return refusal(read.error, request);
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

function badRange(request: HttpRequest, bytes: number): HttpReply {
  const error = new AppError(
    'bad-range',
    `The content has ${bytes} bytes, none of them in the requested range.`,
  );
  return problemReply(toErrorData(error), request, [
    ['Content-Range', `bytes */${bytes}`],
    ['Accept-Ranges', 'bytes'],
  ]);
}
