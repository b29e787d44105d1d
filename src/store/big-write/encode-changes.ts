import type { EncodeChangesJob, EncodedChanges } from '../../pool/change-messages.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { OverlayTerms, type TermList } from '../../snapshot/dictionary/overlay.ts';
import { openSnapshot } from '../../snapshot/read/reader.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { requireFit } from '../patch/limits.ts';
import { blockPieces } from '../patch/row-block.ts';
import { asStoreFull } from '../planning/room.ts';
import { runOf, watched } from './build-changes.ts';

type EncodeRequest = Omit<EncodeChangesJob, 'kind' | 'slot'>;

/** Rows of term ids, those of new terms provisional, and the new terms. */
interface NumberedRows {
  readonly rows: Uint32Array;
  readonly newTerms: TermList;
}

/**
 * Encodes planned changes for a record of a shared log, and builds the run that its replay makes of
 * them. Runs in a pool thread. Throws `too-large`, `cancelled` or `store-full`.
 */
export function encodeChanges(job: EncodeRequest): EncodedChanges {
  try {
    return encode(job);
  } catch (error) {
    throw asStoreFull(error);
  }
}

function encode(job: EncodeRequest): EncodedChanges {
  const { snapshot, removals, knownTerms, progress } = job;
  const { rows, newTerms } = inOrderOfRows(job, knownTerms);
  const terms = new OverlayTerms(openSnapshot(snapshot).terms, newTerms);
  const pieces = watched(blockPieces(changesOf(rows, removals), terms), progress);
  const blocks = inOne([...pieces]);
  requireFit(0, blocks.length);
  const run = runOf(changesOf(rows.slice(), removals));
  return { rows, removals, knownTerms, newTerms, blocks, run };
}

function changesOf(rows: Uint32Array, removals: number): Changes {
  return { removals: rows.subarray(0, 4 * removals), additions: rows.subarray(4 * removals) };
}

/**
 * Gives new terms the provisional ids in the order of the rows, as a replay meets them, and leaves
 * out those that are in no row.
 */
function inOrderOfRows({ rows, newTerms }: NumberedRows, knownTerms: TermId): NumberedRows {
  const ordered = new Uint32Array(new SharedArrayBuffer(4 * rows.length));
  /** For each new term its place in the order, from 1; 0 as long as no row has it. */
  const places = new Uint32Array(newTerms.count);
  const order: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const id = rows[i]!;
    const term = id - knownTerms - 1;
    if (term >= 0 && places[term] === 0) places[term] = order.push(term);
    ordered[i] = term >= 0 ? knownTerms + places[term]! : id;
  }
  return { rows: ordered, newTerms: reordered(newTerms, order) };
}

function reordered({ bytes, ends }: TermList, order: readonly number[]): TermList {
  const total = order.reduce((sum, term) => sum + ends[term + 1]! - ends[term]!, 0);
  const newBytes = new Uint8Array(new SharedArrayBuffer(total));
  const newEnds = new Uint32Array(new SharedArrayBuffer(4 * (order.length + 1)));
  order.forEach((term, place) => {
    const text = bytes.subarray(ends[term]!, ends[term + 1]!);
    newBytes.set(text, newEnds[place]!);
    newEnds[place + 1] = newEnds[place]! + text.length;
  });
  return { count: order.length, bytes: newBytes, ends: newEnds };
}

function inOne(pieces: readonly Uint8Array[]): Uint8Array {
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(new SharedArrayBuffer(total));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
