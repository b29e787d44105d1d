import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip as gzipCallback } from 'node:zlib';
import { acceptsGzip } from '../headers/accept-encoding.ts';
import { compressedTag } from '../headers/entity-tag.ts';
import type { Header } from '../server/header.ts';
import type { BodyStream, HttpRequest, HttpResponse } from '../server/message.ts';

const gzip = promisify(gzipCallback);

/** Bodies of up to this many bytes are not compressed. */
const SMALL_BYTES = 1024;

const textual =
  /^(?:text\/|[a-z]+\/[^;,]+\+(?:json|xml)\b|application\/(?:json|xml|x-ndjson|n-triples|n-quads|trig|x-trig|x-turtle|turtle)\b)/;

type RequestHead = Pick<HttpRequest, 'method' | 'header'>;
type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/**
 * Wraps a handler so that long textual bodies are compressed for clients that accept gzip (http-api
 * G-63). Stored content is left alone: it has a length, ranges and a digest of its own.
 */
export function withCompression(handle: Handle): Handle {
  return (request) => {
    const response = handle(request);
    return response instanceof Promise
      ? response.then((settled) => compress(settled, request))
      : compress(response, request);
  };
}

function compress(response: HttpResponse, request: RequestHead): HttpResponse | Promise<HttpResponse> {
  const headers = headersOf(response);
  if (response.status === 304) return notModified(headers, request);
  if (!isTextual(headers) || isSmall(response, request)) return response;
  const varied = withVary(headers);
  if (!acceptsGzip(request.header('accept-encoding'))) {
    const { lines: _formatted, ...plain } = response;
    return { ...plain, headers: varied };
  }
  return pack(response, varied, request);
}

async function pack(
  { status, body, code }: HttpResponse,
  headers: Header[],
  request: RequestHead,
): Promise<HttpResponse> {
  const tags: Header[] = [...headers.map(tagged), ['Content-Encoding', 'gzip']];
  const compressed: HttpResponse = { status, headers: tags, ...(code && { code }) };
  if (body === undefined) return compressed;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return { ...compressed, body: await gzip(typeof body === 'string' ? body : Buffer.from(body)) };
  }
  // The stream of a HEAD response is only closed, and its length is unknown.
  return { ...compressed, body: request.method === 'HEAD' ? body : gzipped(body) };
}

/** Returns the tag of the variant that the client named in its condition, compressed or not. */
function notModified(headers: Header[], request: RequestHead): HttpResponse {
  const named = request.header('if-none-match') ?? '';
  const tag = headers.find(([name]) => name === 'ETag')?.[1];
  const isCompressed = tag !== undefined && named.includes(compressedTag(tag));
  return { status: 304, headers: withVary(isCompressed ? headers.map(tagged) : headers) };
}

/**
 * A HEAD response without a length counts as long: the length of the body is unknown, and most are
 * long.
 */
function isSmall({ body, length }: HttpResponse, { method }: RequestHead): boolean {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body) <= SMALL_BYTES;
  return body === undefined && (method !== 'HEAD' || length !== undefined);
}

function isTextual(headers: readonly Header[]): boolean {
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  return textual.test(type) && !headers.some(isUntouchable);
}

/** Whether a header says that the body must be sent as it is. */
function isUntouchable([name, value]: Header): boolean {
  if (name === 'Accept-Ranges' || name === 'Content-Encoding') return true;
  return name === 'Cache-Control' && value.includes('no-transform');
}

function tagged([name, value]: Header): Header {
  return name === 'ETag' ? [name, compressedTag(value)] : [name, value];
}

function withVary(headers: readonly Header[]): Header[] {
  const others = headers.filter(([name]) => name !== 'Vary');
  const varies = headers.filter(([name]) => name === 'Vary').map(([, value]) => value);
  const isNamed = varies.some((value) => /(?:^|,)\s*accept-encoding\s*(?:,|$)/i.test(value));
  return [...others, ['Vary', [...varies, ...(isNamed ? [] : ['Accept-Encoding'])].join(', ')]];
}

/** Returns all headers, including the preformatted ones. */
function headersOf({ headers, lines }: HttpResponse): Header[] {
  if (!lines) return [...headers];
  const head = lines.after('');
  const text = typeof head === 'string' ? head : Buffer.from(head).toString();
  const formatted = text.split('\r\n').slice(1);
  return [...headers, ...formatted.map((line) => line.split(/: (.*)/s, 2) as [string, string])];
}

/**
 * Compresses a stream. Each chunk can be decoded as soon as it arrives, for clients that wait for
 * lines.
 */
function gzipped(body: BodyStream): BodyStream {
  return {
    [Symbol.asyncIterator]() {
      const packer = createGzip({ flush: constants.Z_SYNC_FLUSH });
      // Errors reach the reader of the last chunk.
      pipeline(Readable.from(copied(body)), packer, () => {});
      const chunks = packer[Symbol.asyncIterator]();
      return {
        next: () => chunks.next(),
        return: () => {
          packer.destroy();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

/**
 * Copies each chunk. A chunk is valid only until the next is requested, and gzip requests the next
 * before it has finished with this one.
 */
function copied(body: BodyStream): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          const result = await chunks.next();
          return result.done ? result : { done: false, value: Buffer.from(result.value) };
        },
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
