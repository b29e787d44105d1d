/**
 * Reads quads in canonical N-Quads form, as this program writes them, in place: no text is decoded.
 * Except for triple terms, a canonical term contains a space only between quotes, and a quote there
 * only after a backslash.
 */
import { AppError } from '../../errors.ts';
import { isIriAt, isTripleTermAt, MAX_TRIPLE_DEPTH } from '../../rdf/model/triple-term.ts';

/** The positions of the four terms of a quad: term i is `bounds[2 i]` .. `bounds[2 i + 1]`. */
export type Bounds = Uint32Array;

export function newBounds(): Bounds {
  return new Uint32Array(8);
}

/**
 * Reads four terms, ` .` and a line feed; returns the start of the next line. Throws
 * `data-damaged`.
 */
export function scanQuad(bytes: Uint8Array, from: number, bounds: Bounds): number {
  let at = from;
  for (let term = 0; term < 4; term++) {
    const end = endOfTerm(bytes, at);
    bounds[2 * term] = at;
    bounds[2 * term + 1] = end;
    if (end === at || bytes[end] !== SPACE) throw damaged(end);
    at = end + 1;
  }
  if (bytes[at] !== DOT || bytes[at + 1] !== LINE_FEED) throw damaged(at);
  return at + 2;
}

/** Whether `scanQuad` reads the term `bytes[start .. end)` back unchanged. */
export function isReadable(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start];
  if (end - start < 2) return false;
  if (isTripleTermAt(bytes, start)) return isReadableTriple(bytes, start, end);
  if (first === LESS) return isPlain(bytes, start, end - 1) && bytes[end - 1] === GREATER;
  if (first === UNDERSCORE) return isPlain(bytes, start, end);
  const close = first === QUOTE ? closingQuote(bytes, start + 1, end) : end;
  return close < end && isSuffix(bytes, close + 1, end);
}

function isReadableTriple(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  let depth = 0;
  for (; isTripleTermAt(bytes, at); depth++) {
    if (depth === MAX_TRIPLE_DEPTH || !standsAt(bytes, at, OPEN)) return false;
    at += OPEN.length;
    for (const isAllowed of [isNodeAt, isIriAt]) {
      const close = endOfTerm(bytes, at);
      if (close >= end || !isAllowed(bytes, at) || !isReadable(bytes, at, close)) return false;
      at = close + 1;
    }
  }
  const close = endOfTerm(bytes, at);
  if (close >= end || !isReadable(bytes, at, close)) return false;
  for (at = close; depth > 0; depth--, at += CLOSE.length) if (!standsAt(bytes, at, CLOSE)) return false;
  return at === end;
}

function isNodeAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === UNDERSCORE || isIriAt(bytes, at);
}

function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  return text.every((byte, i) => bytes[at + i] === byte);
}

/** Whether the bytes can follow the text of a literal: nothing, a language, or a datatype. */
function isSuffix(bytes: Uint8Array, start: number, end: number): boolean {
  const close = bytes[start] === CARET && bytes[end - 1] === GREATER ? end - 1 : end;
  return isPlain(bytes, start, close);
}

/** Whether these bytes are free of spaces, control characters, quotes and closing brackets. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= SPACE || byte === QUOTE || byte === GREATER) return false;
  }
  return true;
}

/** Returns the offset of the closing quote; `end` if there is none, or a line feed before it. */
function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end && bytes[at] !== QUOTE; at++) {
    if (bytes[at] === LINE_FEED) return end;
    if (bytes[at] === BACKSLASH) at++;
  }
  return at;
}

function endOfTerm(bytes: Uint8Array, from: number): number {
  return isTripleTermAt(bytes, from) ? endOfTriple(bytes, from) : endOfSimpleTerm(bytes, from);
}

/** Returns the offset after the bracket that closes the triple term at `from`. */
function endOfTriple(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const end = endOfSimpleTerm(bytes, at);
    if (isTripleTermAt(bytes, at)) depth++;
    else if (bytes[at] === CLOSE_PARENTHESIS && --depth === 0) return end;
    at = end;
  }
  return bytes.length;
}

function endOfSimpleTerm(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes[at] === QUOTE) {
    at++;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  while (at < bytes.length && bytes[at] !== SPACE) at++;
  return at;
}

function damaged(at: number): AppError {
  return new AppError('data-damaged', `There is no quad in canonical form at byte ${at}.`);
}

const OPEN = Buffer.from('<<( ');
const CLOSE = Buffer.from(' )>>');
const SPACE = 0x20;
const CLOSE_PARENTHESIS = 0x29;
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LESS = 0x3c;
const GREATER = 0x3e;
const CARET = 0x5e;
const UNDERSCORE = 0x5f;
