import { isUtf8 } from 'node:buffer';
import { charsetName, decodeCharset } from './decode-charset.ts';
import { parseError, RdfError } from './errors.ts';
import { positionAtEnd, positionOfByte } from './position.ts';

/**
 * Converts the body from its charset (WHATWG label; UTF-8 if undefined) to valid UTF-8 without a
 * byte order mark. Throws `unsupported-media-type` for an unknown label (G-61).
 */
export function toUtf8(body: Uint8Array, charset: string | undefined): Uint8Array {
  const encoding = encodingOf(charset ?? 'utf-8');
  if (encoding === 'utf-8') return withoutMark(requireUtf8(body));
  const { text, isWhole } = decodeCharset(body, encoding);
  if (!isWhole) {
    const message = `The body contains bytes that can't be decoded as ${encoding}`;
    throw parseError(message, positionAtEnd(text));
  }
  if (text.startsWith('\ufeff')) throw secondMark();
  return new TextEncoder().encode(text);
}

function encodingOf(label: string): string {
  try {
    return charsetName(label);
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
  if (!hasMark(body)) return body;
  const text = body.subarray(MARK.length);
  if (hasMark(text)) throw secondMark();
  return text;
}

const MARK = [0xef, 0xbb, 0xbf];

function hasMark(body: Uint8Array): boolean {
  return MARK.every((byte, index) => body[index] === byte);
}

/** Some parsers would drop it. */
function secondMark(): RdfError {
  return parseError('The body begins with two byte order marks', { line: 1, column: 1 });
}

/** Returns the offset of the first bytes that are not UTF-8: a lenient round trip changes them. */
export function faultyByte(body: Uint8Array): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const back = new TextEncoder().encode(text);
  return body.findIndex((byte, index) => byte !== back[index]);
}
