import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeCharset } from './decode-charset.ts';
import { parseError, RdfError } from './errors.ts';
import { positionOfByte } from './position.ts';

/**
 * Converts the body from its charset (WHATWG label; UTF-8 if undefined) to valid UTF-8 without a
 * byte order mark. Throws `unsupported-media-type` for an unknown label (G-61).
 */
export function toUtf8(body: Uint8Array, charset: string | undefined): Uint8Array {
  const encoding = encodingOf(charset ?? 'utf-8');
  if (encoding === 'utf-8') return withoutMark(requireUtf8(body));
  try {
    return new TextEncoder().encode(decodeCharset(body, encoding));
  } catch {
    throw parseError(`The body contains bytes that are not valid ${encoding}`);
  }
}

function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new RdfError('unsupported-media-type', `Unknown charset: ${JSON.stringify(label.slice(0, 40))}`);
  }
}

/** Returns the same bytes. Throws `parse-error` if they are not UTF-8. */
export function requireUtf8(body: Uint8Array): Uint8Array {
  if (!isUtf8(body)) {
    throw parseError(
      'The body contains bytes that are not valid UTF-8',
      positionOfByte(body, faultyByte(body)),
    );
  }
  return body;
}

function withoutMark(body: Uint8Array): Uint8Array {
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return marked ? body.subarray(3) : body;
}

/** Returns the offset of the first bytes that are not UTF-8: a lenient round trip changes them. */
export function faultyByte(body: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const back = new TextEncoder().encode(text);
  return body.findIndex((byte, index) => byte !== back[index]);
}
