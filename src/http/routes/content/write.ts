import { preconditionHolds } from '../../../base/precondition.ts';
import { type Failure, failure } from '../../../errors.ts';
import { parseContentType } from '../../../rdf/media-types/media-types.ts';
import { writePrecondition } from '../../headers/conditional.ts';
import { parseContentCoding } from '../../server/body-coding.ts';
import { type Header, plainText } from '../../server/header.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../server/message.ts';
import { ResourceAddress } from '../resources/link.ts';
import { preconditionFailed } from '../resources/target.ts';
import { contentNotFound, entityTagOf } from './read.ts';
import type { Content, ContentOptions } from './service.ts';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** Handles PUT and DELETE of content. Errors are checked in the order of http-api 1.10. */
export class ContentWrites {
  readonly #content: Content;
  readonly #options: ContentOptions;

  constructor(content: Content, options: ContentOptions) {
    this.#content = content;
    this.#options = options;
  }

  /** Stores the body, which is written to disk as it arrives. `mime`: its type. */
  async put(request: HttpRequest, uri: string, mime: string): Promise<HandlerResult> {
    const resource = { kind: 'uri', uri } as const;
    const denied = this.#content.denial(uri, request);
    if (denied) return rejection(denied);
    const forbidden = this.#content.writable(uri);
    const unreadable = unreadableContent(request);
    if (unreadable) return unreadable;
    const precondition = writePrecondition(request);
    if (precondition && !preconditionHolds(precondition, this.#content.info(resource, request))) {
      return preconditionFailed(resource);
    }
    if (forbidden) return rejection(forbidden);
    const { base, maxBytes } = this.#options;
    const contentType = contentTypeToStore(request, mime);
    const stored = await this.#content.put(uri, contentType, request.streamBody(maxBytes), precondition);
    if (!stored.ok) return stored;
    const { created, content: info } = stored.value;
    const location: Header = ['Location', new ResourceAddress(resource, base).link('content', mime)];
    return {
      status: created ? 201 : 200,
      headers: [['ETag', entityTagOf(info)], ...(created ? [location] : []), plainText],
      body: `Stored ${info.bytes} bytes.\n`,
    };
  }

  async remove(request: HttpRequest, uri: string): Promise<HandlerResult> {
    const resource = { kind: 'uri', uri } as const;
    const denied = this.#content.denial(uri, request);
    if (denied) return rejection(denied);
    const forbidden = this.#content.writable(uri);
    const info = this.#content.info(resource, request);
    if (!info) return contentNotFound(resource);
    const precondition = writePrecondition(request);
    if (precondition && !preconditionHolds(precondition, info)) return preconditionFailed(resource);
    if (forbidden) return rejection(forbidden);
    const removed = await this.#content.remove(uri, precondition);
    if (!removed.ok) return removed;
    if (!removed.value) return contentNotFound(resource);
    return { status: 200, headers: [plainText], body: `Removed the content of <${uri}>.\n` };
  }
}

/**
 * Returns why a body can't be stored. Bytes are stored as they are, so a content coding would be
 * lost, and a part can't replace the whole.
 */
export function unreadableContent(request: HttpRequest): Failure | undefined {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok || coding.value !== 'identity') {
    const message = 'Content must be sent without a content coding.';
    return failure('unsupported-coding', message, { available: ['identity'] });
  }
  if (request.header('content-range') === undefined) return undefined;
  return failure('bad-arguments', 'Content can only be replaced as a whole, without Content-Range.');
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
