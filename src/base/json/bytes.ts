/*
 * JSON in bytes, scanned without a value for each token: where strings and values end. None of
 * these functions is recursive, since a document may be nested as deeply as it is long. (The
 * visitor of jsonc-parser exhausts the stack at 5,000 levels.)
 */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DELETE = 0x7f;

/** Returns the offset of the first byte that is not white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

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
 * Returns the offset after the closing quote of the string that begins at `start`; 0 if there is
 * none or it contains escapes or characters other than printable ASCII.
 */
export function endOfPlainString(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return 0;
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH || byte < SPACE || byte >= DELETE) return 0;
  }
  return 0;
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
    if (opens(byte)) depth++;
    else if (closes(byte)) depth--;
    at++;
  } while (at < bytes.length && (depth > 0 || !endsValue(bytes[at]!)));
  return skipSpace(bytes, at);
}

function endsValue(byte: number): boolean {
  return byte === COMMA || closes(byte);
}

/**
 * Returns the offset at which lists and objects are nested more than `depth` levels deep; -1 if
 * they never are.
 */
export function deeperThan(depth: number, bytes: Uint8Array): number {
  let open = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (closes(byte)) open--;
    else if (opens(byte) && ++open > depth) return at;
  }
  return -1;
}

/** Returns how deep lists and objects are nested. */
export function depthOf(bytes: Uint8Array): number {
  let open = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (closes(byte)) open--;
    else if (opens(byte)) deepest = Math.max(deepest, ++open);
  }
  return deepest;
}

function opens(byte: number): boolean {
  return byte === OPEN_LIST || byte === OPEN_OBJECT;
}

function closes(byte: number): boolean {
  return byte === CLOSE_LIST || byte === CLOSE_OBJECT;
}

/** Returns the JSON value between two offsets. Throws `SyntaxError`. */
export function parseSlice(bytes: Uint8Array, start: number, end: number): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
}
