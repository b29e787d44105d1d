/**
 * The payload of a journal record: one transaction as RDF Patch text in UTF-8, so that people and other tools can
 * read it. Terms are in canonical N-Triples form; rows end with ` .` and a line feed:
 *
 *     H time "1760000000000" .      when it was committed, milliseconds since 1970
 *     H created <graph> .           a graph that came to exist (it may hold nothing)
 *     H dropped <graph> .           a graph that ceased to exist
 *     TX .
 *     D <s> <p> <o> <g> .           removals that had an effect
 *     A <s> <p> <o> <g> .           then additions that had one, in the order of the request
 *     TC .
 */

import { AppError } from '../errors.ts';
import type { TermBytes } from '../graph/path-graph.ts';
import { parseTerm } from '../graph/term.ts';
import type { TermId } from '../graph/term-id.ts';
import { ByteChunks } from './byte-chunks.ts';

export interface PatchHead {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly created: readonly string[];
  readonly dropped: readonly string[];
}

/** Quads as term ids, four a quad (subject, predicate, object, graph). */
export interface Changes {
  readonly additions: Uint32Array;
  readonly removals: Uint32Array;
}

/** The patch in pieces of about a mebibyte. */
export function encodePatch(head: PatchHead, changes: Changes, terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks();
  out.text(`H time "${head.time}" .\n`);
  for (const graph of head.created) out.text(`H created <${graph}> .\n`);
  for (const graph of head.dropped) out.text(`H dropped <${graph}> .\n`);
  out.text('TX .\n');
  writeRows(out, 'D', changes.removals, terms);
  writeRows(out, 'A', changes.additions, terms);
  out.text('TC .\n');
  return out.finish();
}

function writeRows(out: ByteChunks, row: string, quads: Uint32Array, terms: TermBytes): void {
  const letter = row.charCodeAt(0);
  for (let i = 0; i < quads.length; i += 4) {
    out.byte(letter);
    for (let column = 0; column < 4; column++) {
      out.byte(SPACE);
      const id = quads[i + column] as TermId;
      out.copy(terms.bytes, terms.start(id), terms.end(id));
    }
    out.byte(SPACE);
    out.byte(DOT);
    out.byte(LINE_FEED);
  }
}

/** What reading a patch calls; term bytes lie in `bytes` between `bounds[2 i]` and `bounds[2 i + 1]`. */
export interface PatchVisitor {
  head(head: PatchHead): void;
  remove(bytes: Uint8Array, bounds: Uint32Array): void;
  add(bytes: Uint8Array, bounds: Uint32Array): void;
}

/** Reads a patch that `encodePatch` made. Error `data-damaged` where it is not one. */
export function decodePatch(bytes: Uint8Array, visitor: PatchVisitor): void {
  const bodyStart = decodeHead(bytes, visitor);
  const bounds = new Uint32Array(8);
  let at = bodyStart;
  while (at < bytes.length) {
    const letter = bytes[at];
    if (letter === LETTER_T) {
      at = endOfLine(bytes, at);
      continue;
    }
    if ((letter !== LETTER_A && letter !== LETTER_D) || bytes[at + 1] !== SPACE) throw damaged(at);
    at = scanTerms(bytes, at + 2, bounds);
    if (letter === LETTER_A) visitor.add(bytes, bounds);
    else visitor.remove(bytes, bounds);
  }
}

function decodeHead(bytes: Uint8Array, visitor: PatchVisitor): number {
  let at = 0;
  let time = 0;
  const created: string[] = [];
  const dropped: string[] = [];
  while (bytes[at] === LETTER_H) {
    const end = endOfLine(bytes, at);
    const [, key, value = ''] = Buffer.from(bytes.subarray(at, end - 3))
      .toString()
      .split(' ');
    if (key === 'time') time = Number(value.slice(1, -1));
    else if (key === 'created') created.push(parseTerm(value).value);
    else if (key === 'dropped') dropped.push(parseTerm(value).value);
    at = end;
  }
  visitor.head({ time, created, dropped });
  return at;
}

/** Four terms, then ` .` and the line's end; returns where the next line begins. */
function scanTerms(bytes: Uint8Array, from: number, bounds: Uint32Array): number {
  let at = from;
  for (let term = 0; term < 4; term++) {
    const end = endOfTerm(bytes, at);
    bounds[2 * term] = at;
    bounds[2 * term + 1] = end;
    if (bytes[end] !== SPACE) throw damaged(end);
    at = end + 1;
  }
  if (bytes[at] !== DOT || bytes[at + 1] !== LINE_FEED) throw damaged(at);
  return at + 2;
}

/** Canonical terms hold a space between quotes only, and a quote there only behind a backslash. */
function endOfTerm(bytes: Uint8Array, from: number): number {
  let at = from;
  if (bytes[at] === QUOTE) {
    at++;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  while (at < bytes.length && bytes[at] !== SPACE) at++;
  return at;
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  if (end === -1) throw damaged(from);
  return end + 1;
}

function damaged(at: number): AppError {
  return new AppError('data-damaged', `A journal record holds no patch row at byte ${at} of its payload.`);
}

const SPACE = 0x20;
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_A = 0x41;
const LETTER_D = 0x44;
const LETTER_H = 0x48;
const LETTER_T = 0x54;
