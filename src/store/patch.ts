/**
 * The payload of a journal record: one transaction as RDF Patch text in UTF-8, so that people and other tools can
 * read it. Terms are in canonical N-Triples form; rows end with ` .` and a line feed:
 *
 *     H time "1760000000000" .      when it was committed, milliseconds since 1970
 *     H created <graph> .           a graph that came to exist (it may hold nothing)
 *     H dropped <graph> .           a graph that ceased to exist
 *     H reduced <graph> .           a graph that lost triples, not by the name of a resource
 *     TX .
 *     D <s> <p> <o> <g> .           for each operation the removals that had an effect,
 *     A <s> <p> <o> <g> .           then the additions that had one, in the order of the request
 *     TC .
 */

import { AppError } from '../errors.ts';
import type { TermBytes } from '../graph/path-graph.ts';
import type { TermId } from '../graph/term-id.ts';
import type { Changes } from '../snapshot/changes.ts';
import { ByteChunks } from './byte-chunks.ts';
import { type Bounds, newBounds, scanQuad } from './quad-scanner.ts';

export interface PatchHead {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly created: readonly string[];
  readonly dropped: readonly string[];
  readonly reduced: readonly string[];
}

/** The patch in pieces of about a mebibyte; `steps` are the operations' effects, in order. */
export function encodePatch(head: PatchHead, steps: readonly Changes[], terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks();
  out.text(`H time "${head.time}" .\n`);
  for (const graph of head.created) out.text(`H created <${graph}> .\n`);
  for (const graph of head.dropped) out.text(`H dropped <${graph}> .\n`);
  for (const graph of head.reduced) out.text(`H reduced <${graph}> .\n`);
  out.text('TX .\n');
  for (const { removals, additions } of steps) {
    writeRows(out, 'D', removals, terms);
    writeRows(out, 'A', additions, terms);
  }
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

/** What quads take in a patch. */
export interface RowsSize {
  readonly bytes: number;
  /** Bytes of the terms of the longest of them. */
  readonly longest: number;
}

export function rowsSize(quads: Uint32Array, terms: TermBytes): RowsSize {
  // Beside its terms a row has a letter, five spaces, a dot and a line feed.
  let bytes = 2 * quads.length;
  let longest = 0;
  for (let i = 0; i < quads.length; i += 4) {
    let size = 0;
    for (let column = i; column < i + 4; column++) {
      size += terms.end(quads[column]!) - terms.start(quads[column]!);
    }
    bytes += size;
    if (size > longest) longest = size;
  }
  return { bytes, longest };
}

/** Bytes that the head takes in a patch, at most. */
export function headSize({ created, dropped, reduced }: PatchHead): number {
  const lines = [created, dropped, reduced].flat();
  return lines.reduce((size, graph) => size + Buffer.byteLength(graph) + 16, 64);
}

/** What reading a patch calls, row by row. */
export interface PatchVisitor {
  head(head: PatchHead): void;
  remove(bytes: Uint8Array, bounds: Bounds): void;
  add(bytes: Uint8Array, bounds: Bounds): void;
}

/** Reads a patch that `encodePatch` made. Error `data-damaged` where it is not one. */
export function decodePatch(bytes: Uint8Array, visitor: PatchVisitor): void {
  const bounds = newBounds();
  let at = decodeHead(bytes, visitor);
  while (at < bytes.length) {
    const letter = bytes[at];
    if (letter === LETTER_T) {
      at = endOfLine(bytes, at);
    } else if ((letter === LETTER_A || letter === LETTER_D) && bytes[at + 1] === SPACE) {
      at = scanQuad(bytes, at + 2, bounds);
      if (letter === LETTER_A) visitor.add(bytes, bounds);
      else visitor.remove(bytes, bounds);
    } else {
      throw damaged(at);
    }
  }
}

function decodeHead(bytes: Uint8Array, visitor: PatchVisitor): number {
  let at = 0;
  let time = 0;
  const created: string[] = [];
  const dropped: string[] = [];
  const reduced: string[] = [];
  while (bytes[at] === LETTER_H) {
    const end = endOfLine(bytes, at);
    const [, key, value = ''] = Buffer.from(bytes.subarray(at, end - 3))
      .toString()
      .split(' ');
    if (key === 'time') time = Number(value.slice(1, -1));
    else if (key === 'created') created.push(value.slice(1, -1));
    else if (key === 'dropped') dropped.push(value.slice(1, -1));
    else if (key === 'reduced') reduced.push(value.slice(1, -1));
    at = end;
  }
  visitor.head({ time, created, dropped, reduced });
  return at;
}

/** When a patch was committed, milliseconds since 1970. */
export function patchTime(bytes: Uint8Array): number | undefined {
  const [, time] = /^H time "(\d+)" \.\n/.exec(Buffer.from(bytes.subarray(0, 40)).toString()) ?? [];
  return time === undefined ? undefined : Number(time);
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
const LETTER_A = 0x41;
const LETTER_D = 0x44;
const LETTER_H = 0x48;
const LETTER_T = 0x54;
