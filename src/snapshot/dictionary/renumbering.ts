import type { TermId } from '../../rdf/model/term-id.ts';
import type { DictionaryDescriptor, SnapshotDescriptor } from '../descriptor.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import type { Columns } from '../runs/base-builder.ts';
import { buildDelta, mergeDeltas } from '../runs/delta-builder.ts';
import { DeltaRun } from '../runs/delta-run.ts';
import { MergedScan } from '../runs/merged-scan.ts';
import { BY_SUBJECT, ID_MASK, REMOVED } from '../runs/order.ts';
import { Runs } from '../runs/runs.ts';
import { sortQuads } from '../runs/sorted-quads.ts';
import { Dictionary } from './dictionary.ts';
import { keptTerms } from './kept-terms.ts';
import { DictionaryWriter } from './term-writer.ts';

/**
 * Dead terms are dropped when they are at least this share of all terms, or of all bytes of terms.
 */
const DEAD_SHARE = 1 / 4;
/** This many bytes of dead terms count as much as one dead term. */
export const BYTES_A_TERM = 64;
/** The share of room that is left for terms that are added meanwhile. */
const ROOM = 1 / 4;

/**
 * A dictionary without the terms that no quad used, in progress: new terms are still added to the
 * old one.
 */
export interface Renumbering {
  readonly dictionary: DictionaryDescriptor;
  /**
   * One Uint32 for each old id: the new id, or 0 for a term that was dropped or not processed yet.
   */
  readonly numbers: SharedArrayBuffer;
  /** Number of terms of the old dictionary that were processed. */
  readonly termCount: number;
  /** A delta of the changes after the base run, with new ids. */
  readonly since: SharedArrayBuffer | null;
}

/**
 * Finds the terms that no quad uses. If there are many, creates a dictionary without them, and puts
 * the new ids into the columns. Terms keep their order, so sorted columns stay sorted.
 */
export function dropDeadTerms(
  columns: Columns,
  old: DictionaryDescriptor,
  leastDead: number,
): Renumbering | null {
  const { termCount } = old;
  const numbers = sharedWords(withRoom(termCount));
  numbers[SYSTEM_GRAPH_ID] = 1;
  const { s, p, o, g } = columns;
  for (const column of [s, p, o, g]) for (const id of column) numbers[id] = 1;
  const kept = numberAll(numbers, termCount);
  if (!isWorthIt(old, numbers, kept, leastDead)) return null;
  for (const column of [s, p, o, g]) {
    for (let i = 0; i < column.length; i++) column[i] = numbers[column[i]!]!;
  }
  const terms = new DictionaryWriter(keptTerms(old, kept, numbers));
  const dictionary = { ...terms.descriptor(), generation: old.generation + 1 };
  return { dictionary, numbers: numbers.buffer, termCount, since: null };
}

/** Whether `dropDeadTerms` would drop terms. Reads every quad. */
export function hasManyDead(snapshot: SnapshotDescriptor, leastDead: number): boolean {
  const { termCount } = snapshot.dictionary;
  const numbers = new Uint32Array(termCount + 1);
  numbers[SYSTEM_GRAPH_ID] = 1;
  const scan = new MergedScan(new Runs(snapshot)).start(BY_SUBJECT, 0);
  while (scan.next()) {
    numbers[scan.a] = 1;
    numbers[scan.b] = 1;
    numbers[scan.c] = 1;
    numbers[scan.d] = 1;
  }
  return isWorthIt(snapshot.dictionary, numbers, numberAll(numbers, termCount), leastDead);
}

/** Adds the terms, and the deltas from the given one on, that a snapshot has received since. */
export function catchUp(renumbering: Renumbering, snapshot: SnapshotDescriptor, from: number): Renumbering {
  const { termCount } = snapshot.dictionary;
  const terms = new DictionaryWriter();
  terms.adopt(renumbering.dictionary);
  const numbers = longEnough(new Uint32Array(renumbering.numbers), termCount);
  const map = new TermMap(new Dictionary(snapshot.dictionary), terms, numbers);
  map.takeAfter(renumbering.termCount);
  const runs = snapshot.deltas.slice(from).map((buffer) => new DeltaRun(buffer));
  const older = renumbering.since ? new DeltaRun(renumbering.since) : undefined;
  const since = mergeDeltas(older, buildDelta(sortQuads(map.rows(runs.map(rowsOfRun)))));
  return {
    dictionary: terms.descriptor(),
    numbers: numbers.buffer,
    termCount,
    since: since?.words.buffer ?? null,
  };
}

/** Whether `numbers` has room for this many terms. */
export function hasRoom({ numbers }: Renumbering, termCount: number): boolean {
  return 4 * (termCount + 1) <= numbers.byteLength;
}

/** Gives terms of an old dictionary their ids in a new one. */
export class TermMap {
  readonly #old: Dictionary;
  readonly #terms: DictionaryWriter;
  readonly #numbers: Uint32Array;

  constructor(old: Dictionary, terms: DictionaryWriter, numbers: Uint32Array) {
    this.#old = old;
    this.#terms = terms;
    this.#numbers = numbers;
  }

  /** Adds the old terms after the first `termCount`, used or not. */
  takeAfter(termCount: number): void {
    for (let id = termCount + 1; id <= this.#old.termCount; id++) this.#numberOf(id);
  }

  /** Returns all rows with new ids; they are rows of four words, the last with `REMOVED`. */
  rows(parts: readonly Uint32Array[]): Uint32Array {
    const rows = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      for (const word of part) rows[at++] = this.#numberOf(word & ID_MASK) | (word & REMOVED);
    }
    return rows;
  }

  /** A term that was dropped and is used again counts as a new one. */
  #numberOf(id: TermId): TermId {
    const known = this.#numbers[id]!;
    if (known !== 0) return known;
    const number = this.#terms.intern(this.#old.bytes, this.#old.start(id), this.#old.end(id));
    this.#numbers[id] = number;
    return number;
  }
}

/** Returns the changes of a run as rows of four words, the last with `REMOVED`. */
export function rowsOfRun(run: DeltaRun): Uint32Array {
  const { words, quads } = run;
  const { start } = run.order(BY_SUBJECT);
  const rows = new Uint32Array(4 * quads);
  for (let i = 0; i < quads; i++) {
    for (let column = 0; column < 4; column++) rows[4 * i + column] = words[start + column * quads + i]!;
  }
  return rows;
}

/** Counts the marked terms, and numbers them. */
function numberAll(numbers: Uint32Array, termCount: number): number {
  let count = 0;
  for (let id = 1; id <= termCount; id++) if (numbers[id] === 1) numbers[id] = ++count;
  return count;
}

function isWorthIt(
  { ends, termCount }: DictionaryDescriptor,
  numbers: Uint32Array,
  kept: number,
  leastDead: number,
): boolean {
  const dead = termCount - kept;
  if (dead >= leastDead && dead >= DEAD_SHARE * termCount) return true;
  const ending = new Uint32Array(ends);
  let bytes = 0;
  for (let id = 1; id <= termCount; id++) if (numbers[id] === 0) bytes += ending[id]! - ending[id - 1]!;
  return bytes >= BYTES_A_TERM * leastDead && bytes >= DEAD_SHARE * ending[termCount]!;
}

function longEnough(
  numbers: Uint32Array<SharedArrayBuffer>,
  termCount: number,
): Uint32Array<SharedArrayBuffer> {
  if (termCount < numbers.length) return numbers;
  const longer = sharedWords(withRoom(termCount));
  longer.set(numbers);
  return longer;
}

function withRoom(termCount: number): number {
  return Math.ceil((1 + ROOM) * termCount) + 1024;
}

function sharedWords(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
