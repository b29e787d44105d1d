const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Where the key or the element stands to which keys and indexes lead, as an offset into a JSON document, which must be
 * well-formed and have it. Of equal keys the last counts, as it does to the language's parser. For error messages: it scans
 * the document from its start.
 */
export function placeOfPath(bytes: Uint8Array, path: readonly (string | number)[]): number {
  let value = skipSpace(bytes, 0);
  let place = value;
  for (const step of path) {
    [place, value] = typeof step === 'number' ? elementAt(bytes, value, step) : memberAt(bytes, value, step);
  }
  return place;
}

type Places = [place: number, value: number];

function elementAt(bytes: Uint8Array, list: number, index: number): Places {
  let at = skipSpace(bytes, list + 1);
  for (let i = 0; i < index; i++) at = skipSpace(bytes, skipValue(bytes, at) + 1);
  return [at, at];
}

function memberAt(bytes: Uint8Array, object: number, key: string): Places {
  let found: Places = [object, object];
  let at = object;
  do {
    const start = skipSpace(bytes, at + 1);
    const end = endOfString(bytes, start);
    const value = skipSpace(bytes, skipSpace(bytes, end) + 1);
    if (textOf(bytes, start, end) === key) found = [start, value];
    at = skipValue(bytes, value);
  } while (bytes[at] === COMMA);
  return found;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
}

/** Offset of what follows a value: a comma, or the end of what it is in. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    // Closing brackets stand two places behind those that open.
    else if (byte === OPEN_LIST + 2 || byte === OPEN_OBJECT + 2) depth--;
    at++;
  } while (at < bytes.length && (depth > 0 || !endsValue(bytes[at]!)));
  return skipSpace(bytes, at);
}

function endsValue(byte: number): boolean {
  return byte === COMMA || byte === OPEN_LIST + 2 || byte === OPEN_OBJECT + 2;
}

/** Offset behind the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Offset of the first byte that is neither space, tabulator nor line end. */
function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}
