export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/**
 * Returns the offset after the closing quote of the string that begins at `start`; the length if it
 * is not closed.
 */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/**
 * Returns the offset after a value and the white space that follows it: that of a comma, or of the
 * end of the enclosing object or list.
 */
export function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    at++;
  } while (at < bytes.length && (depth > 0 || !endsValue(bytes[at]!)));
  return skipSpace(bytes, at);
}

function endsValue(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT;
}

/** Returns the offset of the first byte that is not a space, a tab or a line end. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

/** Returns the JSON value between two offsets. Throws `SyntaxError`. */
export function parseSlice(bytes: Uint8Array, start: number, end: number): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
}
