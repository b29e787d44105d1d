/**
 * The rows of a large transaction in blocks, each of which contains its terms once. A start reads
 * them several times as fast as text, which has four terms in each row. Numbers have 32 bits and
 * are little-endian; `t` terms, `r` rows:
 *
 *      0              4            number of terms
 *      4              4            rows that are removed, which come first
 *      8              4            rows that are added
 *     12              4            bytes of the terms
 *     16              4 (t + 1)    term i is byte number i .. number i + 1 of the terms
 *     20 + 4 t        16 r         rows of four numbers of terms, which count from 0
 *     20 + 4 t + 16 r              the terms' canonical forms, then zeros to a multiple of four
 */

import { type ReadableFile, readFully } from '../../journal/disk/disk.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { ByteChunks } from './byte-chunks.ts';

const HEADER_BYTES = 16;
const defaultLimits: BlockLimits = { rows: 1 << 20, termBytes: 32 << 20 };
/** Bytes written at a time. */
const PIECE_BYTES = 1 << 20;

export interface RowBlock {
  /** Term `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** Rows of four term numbers. */
  readonly removals: Uint32Array;
  readonly additions: Uint32Array;
}

/** The canonical forms of the terms that rows refer to. */
export interface BlockTerms {
  /** Term `id` is the bytes from `start(id)` to `end(id)` of `arena(id)`. */
  arena(id: TermId): Uint8Array;
  start(id: TermId): number;
  end(id: TermId): number;
}

/** Returns the terms of a dictionary, which are all in one arena. */
export function inOneArena(terms: TermBytes): BlockTerms {
  const { bytes } = terms;
  return { arena: () => bytes, start: (id) => terms.start(id), end: (id) => terms.end(id) };
}

/**
 * A block ends at this number of rows, or after the row with which its terms reach this number of
 * bytes.
 */
export interface BlockLimits {
  readonly rows: number;
  readonly termBytes: number;
}

/** Yields the rows of changes as blocks, chunk by chunk. */
export function* blockPieces(
  { removals, additions }: Changes,
  terms: BlockTerms,
  limits = defaultLimits,
): Generator<Uint8Array> {
  const total = (removals.length + additions.length) / 4;
  for (let from = 0; from < total; ) {
    const block = new BlockBuilder(terms, { ...limits, rows: Math.min(limits.rows, total - from) });
    block.take(removals, 4 * from);
    const removed = block.rows;
    block.take(additions, 4 * (from + removed) - removals.length);
    from += block.rows;
    yield* block.pieces(removed);
  }
}

class BlockBuilder {
  readonly #terms: BlockTerms;
  readonly #numbers = new Map<TermId, number>();
  readonly #words: Uint32Array;
  readonly #mostTermBytes: number;
  #rows = 0;
  #termBytes = 0;

  constructor(terms: BlockTerms, { rows, termBytes }: BlockLimits) {
    this.#terms = terms;
    this.#words = new Uint32Array(4 * rows);
    this.#mostTermBytes = termBytes;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds rows of ids, starting with those at `from`, while there is room. */
  take(quads: Uint32Array, from: number): void {
    const words = this.#words;
    let at = 4 * this.#rows;
    for (let i = from; i < quads.length && at < words.length; i++, at++) {
      if (i % 4 === 0 && this.#termBytes >= this.#mostTermBytes) break;
      const id = quads[i]!;
      // Most rows have the same subject and graph as the previous row.
      words[at] = i >= from + 4 && quads[i - 4] === id ? words[at - 4]! : this.#number(id);
    }
    this.#rows = at / 4;
  }

  *pieces(removed: number): Generator<Uint8Array> {
    const ids = [...this.#numbers.keys()];
    const index = new Uint32Array(HEADER_BYTES / 4 + ids.length + 1);
    index.set([ids.length, removed, this.#rows - removed, this.#termBytes]);
    const out = new ByteChunks(Math.min(this.#termBytes + 4, PIECE_BYTES));
    let end = 0;
    ids.forEach((id, number) => {
      const [from, to] = [this.#terms.start(id), this.#terms.end(id)];
      out.copy(this.#terms.arena(id), from, to);
      end += to - from;
      index[HEADER_BYTES / 4 + 1 + number] = end;
    });
    for (; end % 4 !== 0; end++) out.byte(0);
    yield* inPieces(index);
    yield* inPieces(this.#words.subarray(0, 4 * this.#rows));
    yield* out.finish();
  }

  #number(id: TermId): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(id, number);
    this.#termBytes += this.#terms.end(id) - this.#terms.start(id);
    return number;
  }
}

function* inPieces(words: Uint32Array): Generator<Uint8Array> {
  for (let i = 0; i < words.length; i += PIECE_BYTES / 4) {
    const piece = words.subarray(i, i + PIECE_BYTES / 4);
    yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  }
}

/**
 * Reads the blocks of a file of `size` bytes, and passes all bytes to `see`. Yields undefined in
 * place of an invalid block, and then ends.
 */
export async function* readBlocks(
  file: ReadableFile,
  size: number,
  see: (bytes: Uint8Array) => void,
): AsyncGenerator<RowBlock | undefined> {
  for (let at = 0; at < size; ) {
    const header = await readWords(file, at, Math.min(HEADER_BYTES, size - at));
    const length = header && bodyBytes(header);
    const body =
      length !== undefined && at + HEADER_BYTES + length <= size
        ? await readWords(file, at + HEADER_BYTES, length)
        : undefined;
    const block = header && body && blockOf(header, body);
    if (!block) return yield undefined;
    see(bytesOf(header));
    see(bytesOf(body));
    yield block;
    at += HEADER_BYTES + body.byteLength;
  }
}

/** The same for blocks in memory; the yielded rows may be changed. */
export function* blocksIn(bytes: Uint8Array): Generator<RowBlock | undefined> {
  if (bytes.length % 4 !== 0) return yield undefined;
  const words = new Uint32Array(new Uint8Array(bytes).buffer);
  for (let at = 0; at < words.length; ) {
    const header = words.subarray(at, at + HEADER_BYTES / 4);
    const from = at + header.length;
    const to = from + bodyBytes(header) / 4;
    const block = to <= words.length ? blockOf(header, words.subarray(from, to)) : undefined;
    yield block;
    if (!block) return;
    at = to;
  }
}

/** Returns undefined if the file ends too early. */
async function readWords(file: ReadableFile, at: number, bytes: number): Promise<Uint32Array | undefined> {
  if (bytes % 4 !== 0) return undefined;
  const words = new Uint32Array(bytes / 4);
  return (await readFully(file, bytesOf(words), at)) === bytes ? words : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the number of bytes after the header of a block. */
function bodyBytes([terms = 0, removed = 0, added = 0, termBytes = 0]: Uint32Array): number {
  return 4 * (terms + 1) + 16 * (removed + added) + 4 * Math.ceil(termBytes / 4);
}

function blockOf(
  [terms = 0, removed = 0, added = 0, termBytes = 0]: Uint32Array,
  body: Uint32Array,
): RowBlock | undefined {
  const offsets = body.subarray(0, terms + 1);
  const rows = body.subarray(terms + 1, terms + 1 + 4 * (removed + added));
  const bytes = bytesOf(body.subarray(terms + 1 + rows.length)).subarray(0, termBytes);
  if (rows.length === 0 || !areOffsets(offsets, termBytes) || !areBelow(rows, terms)) return undefined;
  return { bytes, offsets, removals: rows.subarray(0, 4 * removed), additions: rows.subarray(4 * removed) };
}

function areOffsets(offsets: Uint32Array, end: number): boolean {
  for (let i = 1; i < offsets.length; i++) if (offsets[i]! < offsets[i - 1]!) return false;
  return offsets[0] === 0 && offsets.at(-1) === end;
}

function areBelow(numbers: Uint32Array, bound: number): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! >= bound) return false;
  return true;
}
