import { createGunzip } from 'node:zlib';
import { failure, type Result } from '../../errors.ts';
import { faultyByte } from '../../rdf/decode.ts';
import { parseContentType } from '../../rdf/media-types.ts';
import { positionOfByte } from '../../rdf/position.ts';
import { parseCharset, parseContentCoding } from '../body-coding.ts';
import type { HttpRequest } from '../message.ts';

/** The body as text, whatever its type says but for charset and coding (G-61, G-62). `maxBytes`: unpacked. */
export function readText(request: HttpRequest, maxBytes: number): Promise<Result<string>> {
  return readBody(request, maxBytes, (bytes, charset) => decodeText(bytes, charset));
}

/** The same as bytes in UTF-8, of which nobody has looked yet whether they are a text. */
export function readUtf8(request: HttpRequest, maxBytes: number): Promise<Result<Uint8Array>> {
  return readBody(request, maxBytes, (bytes, charset) => {
    if (charset === undefined) return { ok: true, value: bytes };
    const text = decodeText(bytes, charset);
    return text.ok ? { ok: true, value: new TextEncoder().encode(text.value) } : text;
  });
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
/** Decodes whole texts only, so one serves for all. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Piece by piece, so that no more is unpacked than the server has room for. */
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
        return failure('too-large', `The body may have ${maxBytes} bytes at most, decoded.`);
      }
      if (!request.holdBytes(piece.length)) {
        return failure('overloaded', 'The server holds as many request bodies as it can.', { retryAfter: 1 });
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
  try {
    if (charset === undefined) return { ok: true, value: decodeUtf8(bytes) };
    return { ok: true, value: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch {
    const name = charset ?? 'utf-8';
    const place = charset === undefined ? positionOfByte(bytes, faultyByte(bytes)) : {};
    return failure('parse-error', `The body is not valid ${name}.`, { ...place, source: 'body' });
  }
}

/**
 * Who evaluates a program for many starts sends the same text each time: comparing bytes takes less than decoding, and
 * what is one text need not be compared or hashed again by those who get it. Throws on what is not UTF-8.
 */
function decodeUtf8(bytes: Uint8Array): string {
  if (bytes.length > KEPT_BYTES) return utf8.decode(bytes);
  if (lastBytes.length !== bytes.length || Buffer.compare(lastBytes, bytes) !== 0) {
    lastText = utf8.decode(bytes);
    lastBytes = new Uint8Array(bytes);
  }
  return lastText;
}

/** Longer texts are not kept. */
const KEPT_BYTES = 64 * 1024;
let lastBytes = new Uint8Array(0);
let lastText = '';
