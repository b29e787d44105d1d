import type { ChunkWriter } from '../chunk-writer.ts';
import { ascii } from '../chunk-writer.ts';
import { RdfError } from '../errors.ts';

const AMPERSAND = 0x26;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
/** First byte of the characters U+F000 to U+FFFF in UTF-8. */
const LEAD_OF_NONCHARACTERS = 0xef;

const ampersand = ascii('&amp;');
const less = ascii('&lt;');
const greater = ascii('&gt;');
const carriageReturn = ascii('&#xD;');

/** The XML text for each character after the backslash of an escape in canonical N-Triples. */
const escapes: Readonly<Record<string, Uint8Array>> = {
  t: ascii('\t'),
  n: ascii('\n'),
  r: carriageReturn,
  '"': ascii('"'),
  '\\': ascii('\\'),
};
const DELETE_ESCAPE = '\\u007F';

const special = new Uint8Array(256);
for (const byte of [AMPERSAND, LESS, GREATER, BACKSLASH, LEAD_OF_NONCHARACTERS]) special[byte] = 1;

/**
 * Writes the text of an IRI or of a canonical literal as XML text or attribute value. Throws
 * `not-acceptable` for characters that XML 1.0 cannot represent, even escaped.
 */
export function putXmlText(output: ChunkWriter, bytes: Uint8Array, start: number, end: number): void {
  let from = start;
  for (let at = start; at < end; ) {
    if (special[bytes[at]!] === 0) {
      at++;
      continue;
    }
    output.copy(bytes, from, at);
    from = at + putSpecial(output, bytes, at);
    at = from;
  }
  output.copy(bytes, from, end);
}

/** Throws the error that `putXmlText` would throw. */
export function checkXmlText(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === LEAD_OF_NONCHARACTERS) {
      if (isNoncharacter(bytes, at)) fail();
    } else if (byte === BACKSLASH) {
      if (escapes[String.fromCharCode(bytes[at + 1]!)] === undefined) checkEscape(bytes, at);
      at++;
    }
  }
}

/** Writes the replacement of a special byte; returns the number of bytes that it replaces. */
function putSpecial(output: ChunkWriter, bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case AMPERSAND:
      output.put(ampersand);
      return 1;
    case LESS:
      output.put(less);
      return 1;
    case GREATER:
      output.put(greater);
      return 1;
    case BACKSLASH:
      return putEscape(output, bytes, at);
    default:
      if (isNoncharacter(bytes, at)) fail();
      output.copy(bytes, at, at + 3);
      return 3;
  }
}

function putEscape(output: ChunkWriter, bytes: Uint8Array, at: number): number {
  const replacement = escapes[String.fromCharCode(bytes[at + 1]!)];
  if (replacement !== undefined) {
    output.put(replacement);
    return 2;
  }
  checkEscape(bytes, at);
  output.put(Uint8Array.of(0x7f));
  return DELETE_ESCAPE.length;
}

/**
 * Whether the character is U+FFFE or U+FFFF. `at` is the offset of a character that begins with
 * their first byte.
 */
function isNoncharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe;
}

/** Of the numeric escapes, which represent control characters, XML can represent only one. */
function checkEscape(bytes: Uint8Array, at: number): void {
  const text = String.fromCharCode(...bytes.subarray(at, at + DELETE_ESCAPE.length));
  if (text !== DELETE_ESCAPE) fail();
}

function fail(): never {
  throw new RdfError(
    'not-acceptable',
    'The graph contains a control character that RDF/XML cannot represent',
  );
}
