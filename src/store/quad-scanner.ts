/**
 * Reads quads in canonical N-Quads form, our own writing, in place: no text is decoded. A canonical term holds a space
 * between quotes only, and a quote there only behind a backslash.
 */
import { AppError } from '../errors.ts';

/** Where the four terms of a quad lie: term i in `bounds[2 i]` .. `bounds[2 i + 1]`. */
export type Bounds = Uint32Array;

export function newBounds(): Bounds {
  return new Uint32Array(8);
}

/** Reads four terms, ` .` and a line feed; returns where the next line begins. Error `data-damaged`. */
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

function endOfTerm(bytes: Uint8Array, from: number): number {
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

const SPACE = 0x20;
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
