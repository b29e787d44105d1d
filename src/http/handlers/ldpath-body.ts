import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
import { parseContentType } from '../../rdf/media-types.ts';
import { parseCharset, parseContentCoding } from '../body-coding.ts';
import type { HttpRequest } from '../message.ts';

const gunzip = promisify(gunzipCallback);

/** The body as text, whatever its type says but for charset and coding (G-61, G-62). `maxBytes`: unpacked. */
export async function readText(request: HttpRequest, maxBytes: number): Promise<Result<string>> {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return coding;
  const charset = parseCharset(parseContentType(request.header('content-type'))?.charset);
  if (!charset.ok) return charset;
  const body = await request.readBody(maxBytes);
  if (!body.ok) return body;
  const unpacked = coding.value === 'gzip' ? await unpack(body.value, maxBytes) : body;
  return unpacked.ok ? decode(unpacked.value, charset.value ?? 'utf-8') : unpacked;
}

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

function decode(bytes: Uint8Array, charset: string): Result<string> {
  try {
    return { ok: true, value: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch {
    return fail(new AppError('parse-error', `The body is not valid ${charset}.`, { source: 'body' }));
  }
}

function fail(error: AppError): { ok: false; error: ErrorData } {
  return { ok: false, error: toErrorData(error) };
}
