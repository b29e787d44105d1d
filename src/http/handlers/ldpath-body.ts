import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
import { faultyByte } from '../../rdf/decode.ts';
import { parseContentType } from '../../rdf/media-types.ts';
import { positionOfByte } from '../../rdf/position.ts';
import { parseCharset, parseContentCoding } from '../body-coding.ts';
import type { HttpRequest } from '../message.ts';

const gunzip = promisify(gunzipCallback);

/** The body as text, whatever its type says but for charset and coding (G-61, G-62). `maxBytes`: unpacked. */
export function readText(request: HttpRequest, maxBytes: number): Promise<Result<string>> {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return Promise.resolve(coding);
  const charset = charsetOf(request.header('content-type'));
  if (!charset.ok) return Promise.resolve(charset);
  const text = (body: Result<Uint8Array>) => (body.ok ? decode(body.value, charset.value) : body);
  if (coding.value === 'identity') return request.readBody(maxBytes).then(text);
  return request
    .readBody(maxBytes)
    .then((body) => (body.ok ? unpack(body.value, maxBytes) : body))
    .then(text);
}

function charsetOf(contentType: string | undefined): Result<string | undefined> {
  return contentType === undefined ? utf8Charset : parseCharset(parseContentType(contentType)?.charset);
}

const utf8Charset = { ok: true, value: undefined } as const;
/** Decodes whole texts only, so one serves for all. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Result<Uint8Array>> {
  try {
    return { ok: true, value: await gunzip(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return fail(new AppError('too-large', `The body may have ${maxBytes} bytes at most, unpacked.`));
    }
    return fail(new AppError('parse-error', 'The body is not valid gzip.', { source: 'body' }));
  }
}

/** `charset`: undefined for UTF-8. */
function decode(bytes: Uint8Array, charset: string | undefined): Result<string> {
  try {
    const decoder = charset === undefined ? utf8 : new TextDecoder(charset, { fatal: true });
    return { ok: true, value: decoder.decode(bytes) };
  } catch {
    const name = charset ?? 'utf-8';
    const place = charset === undefined ? positionOfByte(bytes, faultyByte(bytes)) : {};
    return fail(new AppError('parse-error', `The body is not valid ${name}.`, { ...place, source: 'body' }));
  }
}

function fail(error: AppError): { ok: false; error: ErrorData } {
  return { ok: false, error: toErrorData(error) };
}
