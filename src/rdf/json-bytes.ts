export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** Offset behind the closing quote of the string that begins at `start`; the length when it is not closed. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** Offset behind a value and the white space that follows it: of a comma, or of the end of what the value is in. */
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

/** Offset of the first byte that is neither space, tabulator nor line end. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

/** The JSON value that is written between two offsets. Throws `SyntaxError`. */
export function parseSlice(bytes: Uint8Array, start: number, end: number): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
}
