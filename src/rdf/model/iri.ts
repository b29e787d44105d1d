/**
 * The syntax of absolute IRIs: the production `IRI` of RFC 3987 section 2.2 (http-api G-17). It is
 * read byte by byte in UTF-8, since parsers check every IRI of a document.
 */
import { isIPv6 } from 'node:net';

/** The parts of an IRI in which an ASCII character is allowed unescaped. */
const SCHEME = 1;
const HOST = 2;
const USERINFO = 4;
const PATH = 8;
const QUERY = 16;
const FRAGMENT = 32;
/** Other properties of a character. */
const LETTER = 64;
const HEX = 128;
const AFTER_AUTHORITY = 256;

const classes = classifyCharacters();

function classifyCharacters(): Uint16Array {
  const table = new Uint16Array(256);
  for (let byte = 0x21; byte < 0x7f; byte++) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9+.-]/.test(character)) table[byte]! |= SCHEME;
    if (/[A-Za-z0-9._~!$&'()*+,;=-]/.test(character)) {
      table[byte]! |= HOST | USERINFO | PATH | QUERY | FRAGMENT;
    }
    if (character === ':') table[byte]! |= USERINFO;
    if (/[:@/]/.test(character)) table[byte]! |= PATH | QUERY | FRAGMENT;
    if (character === '?') table[byte]! |= QUERY | FRAGMENT;
    if (/[A-Za-z]/.test(character)) table[byte]! |= LETTER;
    if (/[0-9A-Fa-f]/.test(character)) table[byte]! |= HEX;
    if (/[/?#]/.test(character)) table[byte]! |= AFTER_AUTHORITY;
  }
  return table;
}

const HASH = 0x23;
const PERCENT = 0x25;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const AT = 0x40;
const UPPER_V = 0x56;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_V = 0x76;

/** Whether `bytes[start .. end)`, which must be valid UTF-8, is an absolute IRI. */
export function isIriIn(bytes: Uint8Array, start: number, end: number): boolean {
  return endOfIri(bytes, start, end) === end;
}

/**
 * The same for bytes with at most one `#` whose other characters are allowed in paths, queries and
 * fragments alike: only scheme and authority are checked.
 */
export function isPlainIriIn(bytes: Uint8Array, start: number, end: number): boolean {
  const at = endOfScheme(bytes, start, end);
  if (at < 0 || !hasAuthority(bytes, at, end)) return at >= 0;
  const after = endOfAuthority(bytes, at + 2, end);
  return after === end || (classes[bytes[after]!]! & AFTER_AUTHORITY) !== 0;
}

const encoder = new TextEncoder();

/** The longest text, in UTF-16 units, for which the scratch memory has room: 3 bytes a unit. */
const SCRATCH_UNITS = 4096;
const scratch = new Uint8Array(3 * SCRATCH_UNITS);

/** Whether a text is an absolute IRI. */
export function isIri(text: string): boolean {
  const bytes = memoryFor(text);
  const length = encodeInto(bytes, text);
  return isIriIn(bytes, 0, length);
}

/** Returns why a text is not an absolute IRI; undefined if it is one. */
export function iriError(text: string): string | undefined {
  const bytes = memoryFor(text);
  const length = encodeInto(bytes, text);
  const end = endOfIri(bytes, 0, length);
  if (end === length) return undefined;
  if (end < 0) return `<${shorten(text)}> is not an absolute IRI`;
  const before = Buffer.from(bytes.subarray(0, end)).toString().length;
  const where = `${nameOf(text, before)} is not allowed at character ${before + 1}`;
  return `<${shorten(text)}> is not an IRI: ${where}`;
}

/** Returns a part of the body, shortened to fit in a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}

/** Returns the character at an offset, as a message names it. */
function nameOf(text: string, offset: number): string {
  const code = text.codePointAt(offset)!;
  if (code === PERCENT) return '"%" without two hexadecimal digits';
  if (code > 0x20 && code < 0x7f) return `"${String.fromCodePoint(code)}"`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns memory with room for a text in UTF-8; that of long texts is not kept. */
function memoryFor(text: string): Uint8Array {
  return text.length <= SCRATCH_UNITS ? scratch : new Uint8Array(3 * text.length);
}

/**
 * Encodes a text; returns its length in bytes. Half a surrogate pair becomes U+FFFD, which is not
 * allowed in an IRI either.
 */
function encodeInto(bytes: Uint8Array, text: string): number {
  const { length } = text;
  if (length > 64) return encoder.encodeInto(text, bytes).written;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return encoder.encodeInto(text, bytes).written;
    bytes[at] = unit;
  }
  return length;
}

/**
 * Returns the offset of the first byte that the syntax does not allow; `end` if it allows all, -1
 * without a scheme.
 */
function endOfIri(bytes: Uint8Array, start: number, end: number): number {
  let at = endOfScheme(bytes, start, end);
  if (at < 0) return -1;
  if (hasAuthority(bytes, at, end)) {
    at = endOfAuthority(bytes, at + 2, end);
    if (at < end && (classes[bytes[at]!]! & AFTER_AUTHORITY) === 0) return at;
  }
  at = skip(bytes, at, end, PATH);
  if (at < end && bytes[at] === QUESTION_MARK) at = skip(bytes, at + 1, end, QUERY);
  if (at < end && bytes[at] === HASH) at = skip(bytes, at + 1, end, FRAGMENT);
  return at;
}

/** Returns the offset after the colon; -1 without a scheme. */
function endOfScheme(bytes: Uint8Array, start: number, end: number): number {
  if (start === end || (classes[bytes[start]!]! & LETTER) === 0) return -1;
  let at = start + 1;
  while (at < end && (classes[bytes[at]!]! & SCHEME) !== 0) at++;
  return at < end && bytes[at] === COLON ? at + 1 : -1;
}

/** `at`: the offset after the colon. */
function hasAuthority(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 1 < end && bytes[at] === SLASH && bytes[at + 1] === SLASH;
}

/** `iauthority`: user information and a port are optional, and the host may be empty. */
function endOfAuthority(bytes: Uint8Array, start: number, end: number): number {
  const name = skip(bytes, start, end, HOST);
  if (name === end || (classes[bytes[name]!]! & AFTER_AUTHORITY) !== 0) return name;
  const user = skip(bytes, name, end, USERINFO);
  return user < end && bytes[user] === AT
    ? endOfHostAndPort(bytes, user + 1, end)
    : endOfHostAndPort(bytes, start, end);
}

function endOfHostAndPort(bytes: Uint8Array, start: number, end: number): number {
  const isLiteral = start < end && bytes[start] === OPEN_BRACKET;
  let at = isLiteral ? endOfLiteral(bytes, start, end) : skip(bytes, start, end, HOST);
  if (at === end || bytes[at] !== COLON) return at;
  do at++;
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE);
  return at;
}

/** Length of the longest IPv6 address, which ends with an IPv4 address. */
const LONGEST_IPV6 = 45;

/** Returns the offset after an `IP-literal`; its start if it is malformed. */
function endOfLiteral(bytes: Uint8Array, start: number, end: number): number {
  const literal = bytes.subarray(start, end);
  const close = literal.indexOf(CLOSE_BRACKET);
  if (close < 0) return start;
  const address = literal.subarray(1, close);
  return isIPv6Address(address) || isFutureAddress(address) ? start + close + 1 : start;
}

function isIPv6Address(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_IPV6) return false;
  const address = String.fromCharCode(...bytes);
  // A zone is not part of the address, although Node.js allows one.
  return isIPv6(address) && !address.includes('%');
}

/** `IPvFuture` */
function isFutureAddress(bytes: Uint8Array): boolean {
  const dot = bytes.indexOf(DOT);
  return (
    (bytes[0] === UPPER_V || bytes[0] === LOWER_V) &&
    dot > 1 &&
    dot + 1 < bytes.length &&
    bytes.subarray(1, dot).every((byte) => (classes[byte]! & HEX) !== 0) &&
    bytes.subarray(dot + 1).every((byte) => (classes[byte]! & USERINFO) !== 0)
  );
}

/** Skips the characters of a part, with percent-encoded bytes and characters beyond ASCII. */
function skip(bytes: Uint8Array, start: number, end: number, part: number): number {
  let at = start;
  while (at < end) {
    while (at < end && (classes[bytes[at]!]! & part) !== 0) at++;
    if (at === end) return at;
    const byte = bytes[at]!;
    if (byte === PERCENT) {
      if (at + 2 >= end || (classes[bytes[at + 1]!]! & classes[bytes[at + 2]!]! & HEX) === 0) return at;
      at += 3;
    } else {
      const code = byte < 0x80 ? -1 : codePointAt(bytes, at);
      if (!isUcschar(code) && !(part === QUERY && isPrivate(code))) return at;
      at += code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
  }
  return at;
}

/** Decodes a character beyond ASCII. */
function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const second = bytes[at + 1]! & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = bytes[at + 2]! & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f);
}

/** `ucschar`; the text is well-formed, so there are no surrogates. */
function isUcschar(code: number): boolean {
  if (code < 0x10000) {
    if (code < 0xe000) return code >= 0xa0;
    return (code >= 0xf900 && code <= 0xfdcf) || (code >= 0xfdf0 && code <= 0xffef);
  }
  return (code & 0xffff) <= 0xfffd && code < 0xf0000 && (code < 0xe0000 || code >= 0xe1000);
}

/** `iprivate` */
function isPrivate(code: number): boolean {
  return (code >= 0xe000 && code <= 0xf8ff) || (code >= 0xf0000 && (code & 0xffff) <= 0xfffd);
}
