/**
 * The payload of a journal record: one transaction as RDF Patch text in UTF-8, so that people and
 * other tools can read it. Terms are in canonical N-Triples form; rows end with ` .` and a line
 * feed:
 *
 *     H time "1760000000000" .      when it was committed, milliseconds since 1970
 *     H created <graph> .           a graph that came to exist (it may hold nothing)
 *     H dropped <graph> .           a graph that ceased to exist
 *     H reduced <graph> .           a graph that lost triples, not by the name of a resource
 *     H renumbered "terms" .        after this commit, which has no rows, the processes that share
 *                                   the log drop unused terms; a single server ignores it
 *     TX .
 *     D <s> <p> <o> <g> .           for each operation the removals that had an effect,
 *     A <s> <p> <o> <g> .           then the additions that had one, in the order of the request
 *     TC .
 *
 * The rows of a large transaction are in a file of their own (see `file.ts`). In their place
 * the payload names the file, with its length, its SHA-256, and the number of its rows unless it is
 * a text file:
 *
 *     F "patch-000000000012-0123456789abcdef.rows" "123456789" "…" "1000000" .
 *
 * In a log that several processes share, the rows of a large transaction come instead as blocks
 * (see `row-block.ts`), to the end of the payload, behind a line with their number:
 *
 *     B "1000000" .
 */

import { AppError } from '../../errors.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { ByteChunks } from './byte-chunks.ts';
import { type Bounds, newBounds, scanQuad } from './quad-scanner.ts';
import { blocksIn, type RowBlock } from './row-block.ts';

const BEGIN = 'TX .\n';
const END = 'TC .\n';
/** The number of rows that are encoded together, and the bytes that they usually need. */
const PIECE_ROWS = 2048;
const FIRST_PIECE_BYTES = 512 * 1024;

export interface PatchHeader {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly created: readonly string[];
  readonly dropped: readonly string[];
  readonly reduced: readonly string[];
  /** Whether the processes that share the log drop unused terms after this commit. */
  readonly renumbered?: boolean;
}

/** A file with the rows of a transaction. */
export interface PatchReference extends FileDigest {
  readonly name: string;
  /** Undefined for a text file. */
  readonly rows?: number;
  /**
   * Whether rows that are added have terms that older releases would misread. Only known when the
   * file is written.
   */
  readonly needsNewFormat?: boolean;
}

/**
 * Returns the patch in chunks of about a mebibyte; `steps` are the operations' effects, in order.
 */
export function encodePatch(header: PatchHeader, steps: readonly Changes[], terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks();
  writeHeader(out, header);
  out.text(BEGIN);
  for (const { removals, additions } of steps) {
    writeRows(out, 'D', removals, terms);
    writeRows(out, 'A', additions, terms);
  }
  out.text(END);
  return out.finish();
}

/** Returns the payload of a transaction whose rows are in a file. */
export function encodeReference(
  header: PatchHeader,
  { name, bytes, digest, rows }: PatchReference,
): Uint8Array[] {
  const out = new ByteChunks();
  writeHeader(out, header);
  out.text(`F "${name}" "${bytes}" "${digest}"${rows === undefined ? '' : ` "${rows}"`} .\n`);
  return out.finish();
}

/** Returns the payload of a transaction with so many rows in blocks. */
export function encodeBlocks(header: PatchHeader, rows: number, blocks: Uint8Array): Uint8Array[] {
  const out = new ByteChunks();
  writeHeader(out, header);
  out.text(`B "${rows}" .\n`);
  return [...out.finish(), blocks];
}

function writeHeader(out: ByteChunks, header: PatchHeader): void {
  const { time, created, dropped, reduced, renumbered } = header;
  out.text(`H time "${time}" .\n`);
  for (const graph of created) out.text(`H created <${graph}> .\n`);
  for (const graph of dropped) out.text(`H dropped <${graph}> .\n`);
  for (const graph of reduced) out.text(`H reduced <${graph}> .\n`);
  if (renumbered) out.text('H renumbered "terms" .\n');
}

/** The lines before and after the rows. */
export const rowsBegin: Uint8Array = Buffer.from(BEGIN);
export const rowsEnd: Uint8Array = Buffer.from(END);

/** Yields the rows of removals and additions, chunk by chunk. */
export function* patchRows({ removals, additions }: Changes, terms: PlacedTerms): Generator<Uint8Array> {
  yield* piecesOf('D', removals, terms);
  yield* piecesOf('A', additions, terms);
}

function* piecesOf(row: 'A' | 'D', quads: Uint32Array, terms: PlacedTerms): Generator<Uint8Array> {
  for (let i = 0; i < quads.length; i += 4 * PIECE_ROWS) {
    const out = new ByteChunks(FIRST_PIECE_BYTES);
    writeRows(out, row, quads.subarray(i, i + 4 * PIECE_ROWS), terms);
    yield* out.finish();
  }
}

/** The positions of the terms that rows refer to. */
type PlacedTerms = Pick<TermBytes, 'bytes' | 'start' | 'end'>;

function writeRows(out: ByteChunks, row: string, quads: Uint32Array, terms: PlacedTerms): void {
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

/** The size of quads in a patch. */
export interface RowsSize {
  readonly bytes: number;
  /** Bytes of the terms of the longest quad. */
  readonly longest: number;
}

export function rowsSize(quads: Uint32Array, terms: Pick<TermBytes, 'start' | 'end'>): RowsSize {
  // In addition to its terms, a row has a letter, five spaces, a dot and a line feed.
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

/** Returns an upper bound for the size of the header in a patch, in bytes. */
export function headerSize({ created, dropped, reduced }: PatchHeader): number {
  const lines = [created, dropped, reduced].flat();
  return lines.reduce((size, graph) => size + Buffer.byteLength(graph) + 16, 64);
}

/** Receives the rows while they are read, one by one. */
export interface RowVisitor {
  remove(bytes: Uint8Array, bounds: Bounds): void;
  add(bytes: Uint8Array, bounds: Bounds): void;
}

/** Receives the contents of a patch while it is read. */
export interface PatchVisitor extends RowVisitor {
  header(header: PatchHeader): void;
}

/**
 * Reads a payload written by `encodePatch`, `encodeBlocks` or `encodeReference`. Returns the blocks
 * with the rows, or the file, if they are not lines of the payload. Throws `data-damaged` if it is
 * not a patch.
 */
export function decodePatch(
  bytes: Uint8Array,
  visitor: PatchVisitor,
): PatchReference | Generator<RowBlock> | undefined {
  const at = decodePatchHeader(bytes, visitor);
  if (bytes[at] === LETTER_F) return decodeReference(bytes, at);
  if (bytes[at] === LETTER_B) return decodeBlocks(bytes, at);
  decodeRows(bytes, visitor, at);
  return undefined;
}

/** Reads the blocks behind the line at `at`. Throws `data-damaged`. */
function* decodeBlocks(bytes: Uint8Array, at: number): Generator<RowBlock> {
  const from = endOfLine(bytes, at);
  for (const block of blocksIn(bytes.subarray(from))) {
    if (!block) throw damaged(from);
    yield block;
  }
}

/** Returns the rows of a payload in blocks; undefined if it has none. Throws `data-damaged`. */
export function blocksOf(payload: Uint8Array): Generator<RowBlock> | undefined {
  const at = endOfHeader(payload);
  return payload[at] === LETTER_B ? decodeBlocks(payload, at) : undefined;
}

/** The lines of a payload before its rows. */
export function headerText(payload: Uint8Array): string {
  return Buffer.from(payload.subarray(0, endOfHeader(payload))).toString();
}

/** Reads whole lines from `TX .` to `TC .`, or some of them. Throws `data-damaged`. */
export function decodeRows(bytes: Uint8Array, visitor: RowVisitor, from = 0): void {
  const bounds = newBounds();
  let at = from;
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

/** Returns the file that contains the rows of a payload, if they are in a file. */
export function referenceIn(payload: Uint8Array): PatchReference | undefined {
  const at = endOfHeader(payload);
  return payload[at] === LETTER_F ? decodeReference(payload, at) : undefined;
}

function endOfHeader(payload: Uint8Array): number {
  let at = 0;
  while (payload[at] === LETTER_H) at = endOfLine(payload, at);
  return at;
}

function decodeReference(bytes: Uint8Array, at: number): PatchReference {
  const line = Buffer.from(bytes.subarray(at)).toString();
  const [, name, length, digest, rows] =
    /^F "([\w.-]+)" "(\d+)" "([0-9a-f]{64})"(?: "(\d+)")? \.\n$/.exec(line) ?? [];
  if (name === undefined || digest === undefined) throw damaged(at);
  return { name, bytes: Number(length), digest, ...(rows !== undefined && { rows: Number(rows) }) };
}

function decodePatchHeader(bytes: Uint8Array, visitor: Pick<PatchVisitor, 'header'>): number {
  let at = 0;
  let time = 0;
  const created: string[] = [];
  const dropped: string[] = [];
  const reduced: string[] = [];
  let renumbered = false;
  while (bytes[at] === LETTER_H) {
    const end = endOfLine(bytes, at);
    const [, key, value = ''] = Buffer.from(bytes.subarray(at, end - 3))
      .toString()
      .split(' ');
    if (key === 'time') time = Number(value.slice(1, -1));
    else if (key === 'created') created.push(value.slice(1, -1));
    else if (key === 'dropped') dropped.push(value.slice(1, -1));
    else if (key === 'reduced') reduced.push(value.slice(1, -1));
    else if (key === 'renumbered') renumbered = true;
    at = end;
  }
  visitor.header({ time, created, dropped, reduced, ...(renumbered && { renumbered }) });
  return at;
}

/** Returns the header of a payload, or of its first lines. Throws `data-damaged`. */
export function headerOf(bytes: Uint8Array): PatchHeader {
  let found: PatchHeader = { time: 0, created: [], dropped: [], reduced: [] };
  decodePatchHeader(bytes, {
    header: (header) => {
      found = header;
    },
  });
  return found;
}

/** Returns the time at which a patch was committed, in milliseconds since 1970. */
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
  return new AppError(
    'data-damaged',
    `A journal record has an invalid patch row at byte ${at} of its payload.`,
  );
}

const SPACE = 0x20;
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const LETTER_A = 0x41;
const LETTER_B = 0x42;
const LETTER_D = 0x44;
const LETTER_F = 0x46;
const LETTER_H = 0x48;
const LETTER_T = 0x54;
