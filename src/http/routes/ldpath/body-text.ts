import { createGunzip } from 'node:zlib';
import { failure, type Result } from '../../../errors.ts';
import { decodeCharset } from '../../../rdf/formats/decode-charset.ts';
import { faultyByte } from '../../../rdf/formats/decode-text.ts';
import { type Position, positionAtEnd, positionOfByte } from '../../../rdf/formats/position.ts';
import { parseContentType } from '../../../rdf/media-types/media-types.ts';
import { parseCharset, parseContentCoding } from '../../server/body-coding.ts';
import type { HttpRequest } from '../../server/message.ts';

/**
 * Reads the body as text, whatever its media type; only the charset and the coding matter (G-61,
 * G-62). `maxBytes`: of the decoded body.
 */
export function readText(request: HttpRequest, maxBytes: number): Promise<Result<string>> {
  return readBody(request, maxBytes, (bytes, charset) => decodeText(bytes, charset));
}

/** Like `readText`, but returns bytes in UTF-8, which have not been validated. */
export function readUtf8(request: HttpRequest, maxBytes: number): Promise<Result<Uint8Array>> {
  return readBody(request, maxBytes, (bytes, charset) => {
    if (charset === undefined) return { ok: true, value: bytes };
    const text = decodeText(bytes, charset);
    return text.ok ? { ok: true, value: new TextEncoder().encode(text.value) } : text;
  });
}

/** Returns the bytes as they are, whatever their charset. */
export function readBytes(request: HttpRequest, maxBytes: number): Promise<Result<Uint8Array>> {
  return readBody(request, maxBytes, (value) => ({ ok: true, value }));
}

function readBody<T>(
  request: HttpRequest,
  maxBytes: number,
  read: (bytes: Uint8Array, charset: string | undefined) => Result<T>,
): Promise<Result<T>> {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return Promise.resolve(coding);
  const charset = charsetOf(request.header('content-type'));
  if (!charset.ok) return Promise.resolve(charset);
  const finish = (body: Result<Uint8Array>) => (body.ok ? read(body.value, charset.value) : body);
  if (coding.value === 'identity') return request.readBody(maxBytes).then(finish);
  return request
    .readBody(maxBytes)
    .then((body) => (body.ok ? unpack(request, body.value, maxBytes) : body))
    .then(finish);
}

function charsetOf(contentType: string | undefined): Result<string | undefined> {
  return contentType === undefined ? utf8Charset : parseCharset(parseContentType(contentType)?.charset);
}

const utf8Charset = { ok: true, value: undefined } as const;
/** Decodes only whole texts, so one instance is enough. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes gzip in chunks, so that it stops as soon as the server cannot buffer more. */
async function unpack(
  request: HttpRequest,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Result<Uint8Array>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const gunzip = createGunzip();
  gunzip.end(bytes);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) {
        return failure('too-large', `The decoded body must not exceed ${maxBytes} bytes.`);
      }
      if (!request.reserveBytes(piece.length)) {
        return failure('overloaded', 'The server cannot buffer more request bodies.', { retryAfter: 1 });
      }
      pieces.push(piece);
    }
    return { ok: true, value: Buffer.concat(pieces) };
  } catch {
    return failure('parse-error', 'The body is not valid gzip.', { source: 'body' });
  }
}

/** `charset`: undefined for UTF-8. Error `parse-error`. */
export function decodeText(bytes: Uint8Array, charset?: string): Result<string> {
  if (charset !== undefined) {
    const { text, isWhole } = decodeCharset(bytes, charset);
    return isWhole ? { ok: true, value: text } : undecodable(charset, positionAtEnd(text));
  }
  try {
    return { ok: true, value: decodeUtf8(bytes) };
  } catch {
    return undecodable('utf-8', positionOfByte(bytes, faultyByte(bytes)));
  }
}

function undecodable(charset: string, position: Position): Result<never> {
  return failure('parse-error', `The body is not valid ${charset}.`, { ...position, source: 'body' });
}

/**
 * Decodes UTF-8; throws if it is invalid. Clients that evaluate a program for many start resources
 * send the same text each time. Comparing bytes costs less than decoding, and an identical string
 * need not be compared or hashed again later.
 */
function decodeUtf8(bytes: Uint8Array): string {
  if (bytes.length > KEPT_BYTES) return utf8.decode(bytes);
  if (lastBytes.length !== bytes.length || Buffer.compare(lastBytes, bytes) !== 0) {
    lastText = utf8.decode(bytes);
    lastBytes = new Uint8Array(bytes);
  }
  return lastText;
}

/** Longer texts are not cached. */
const KEPT_BYTES = 64 * 1024;
let lastBytes = new Uint8Array(0);
let lastText = '';
