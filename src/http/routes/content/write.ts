import { conditionHolds } from '../../../base/precondition.ts';
import { type ErrorData, errorData } from '../../../errors.ts';
import { parseContentType } from '../../../rdf/media-types/media-types.ts';
import { writeCondition } from '../../headers/conditional.ts';
import { problemReply, refusal } from '../../problem.ts';
import { parseContentCoding } from '../../server/body-coding.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { ResourceAddress } from '../resources/link.ts';
import { preconditionFailed } from '../resources/target.ts';
import { contentNotFound } from './read.ts';
import type { Content, ContentOptions } from './service.ts';

const textHeader = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/**
 * Handles PUT. The body is written to disk as it arrives. Errors are checked in the
 * order of http-api 1.10.
 */
export async function putContent(
  content: Content,
  { base, maxBytes }: ContentOptions,
  request: HttpRequest,
  uri: string,
  mime: string,
): Promise<HttpReply> {
  const resource = { kind: 'uri', uri } as const;
  const forbidden = content.writable(uri);
  if (forbidden?.code === 'writes-disabled') return refusal(forbidden, request);
  const unreadable = unreadableContent(request);
  if (unreadable) return problemReply(unreadable, request);
  const condition = writeCondition(request);
  if (condition && !conditionHolds(condition, content.info(resource))) {
    return problemReply(preconditionFailed(resource), request);
  }
  if (forbidden) return refusal(forbidden, request);
  const stored = await content.put(
    uri,
    contentTypeToStore(request, mime),
    request.streamBody(maxBytes),
    condition,
  );
  if (!stored.ok) return refusal(stored.error, request);
  const { created, content: info } = stored.value;
  const location: Header = ['Location', new ResourceAddress(resource, base).link('content', mime)];
  return {
    status: created ? 201 : 200,
    headers: [['ETag', `"${info.state}"`], ...(created ? [location] : []), textHeader],
    body: `Stored ${info.bytes} bytes.\n`,
  };
}

/** Handles DELETE. */
export async function removeContent(content: Content, request: HttpRequest, uri: string): Promise<HttpReply> {
  const resource = { kind: 'uri', uri } as const;
  const forbidden = content.writable(uri);
  if (forbidden?.code === 'writes-disabled') return refusal(forbidden, request);
  const info = content.info(resource);
  if (!info) return problemReply(contentNotFound(resource), request);
  const condition = writeCondition(request);
  if (condition && !conditionHolds(condition, info))
    return problemReply(preconditionFailed(resource), request);
  if (forbidden) return refusal(forbidden, request);
  const removed = await content.remove(uri, condition);
  if (!removed.ok) return refusal(removed.error, request);
  if (!removed.value) return problemReply(contentNotFound(resource), request);
  return { status: 200, headers: [textHeader], body: `Removed the content of <${uri}>.\n` };
}

/**
 * Returns why a body can't be stored. Bytes are stored as they are, so a content coding would be
 * lost, and a part can't replace the whole.
 */
export function unreadableContent(request: HttpRequest): ErrorData | undefined {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok || coding.value !== 'identity') {
    const message = 'Content must be sent without a content coding.';
    return errorData('unsupported-coding', message, { available: ['identity'] });
  }
  if (request.header('content-range') === undefined) return undefined;
  return errorData('bad-arguments', 'Content can only be replaced as a whole, without Content-Range.');
}

/**
 * Returns the type in the path, with the charset of a header that names the same textual type
 * (R-60).
 */
export function contentTypeToStore(request: HttpRequest, mime: string): string {
  const header = parseContentType(request.header('content-type'));
  const charset = mime.startsWith('text/') && header?.mediaType === mime ? header.charset : undefined;
  return charset !== undefined && token.test(charset) ? `${mime}; charset=${charset}` : mime;
}
