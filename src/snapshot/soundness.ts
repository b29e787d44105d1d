import type { DictionaryDescriptor } from './descriptor.ts';
import { Dictionary } from './dictionary/dictionary.ts';
import { mix } from './dictionary/hash.ts';
import { SLOT_WORDS, TABLE_HEADER } from './dictionary/term-lookup.ts';
import type { StoredTerms } from './dictionary/term-writer.ts';
import { requireImage } from './image/layout.ts';
import { BaseGraphScan, BaseOrderScan, type Scan } from './read/scans.ts';
import { BaseRun, baseWords } from './runs/base-run.ts';
import { BY_OBJECT, BY_SUBJECT } from './runs/order.ts';

/**
 * Checks every id and offset of the terms and of a base run, and looks up every term, so that later
 * lookups cannot go wrong.
 *
 * @throws SnapshotError `data-damaged`
 */
export function requireSound({ arena, ends, table, termCount }: StoredTerms, base: SharedArrayBuffer): void {
  requireEnds(new Uint32Array(ends, 0, termCount + 1), arena.byteLength);
  if (table) requireTable({ generation: 0, arena, ends, table, termCount });
  requireBase(base, termCount);
}

function requireEnds(ends: Uint32Array, bytes: number): void {
  const sound = ends[0] === 0 && ends.at(-1)! <= bytes && isAscending(ends, 0, ends.length);
  requireImage(sound, 'its terms are damaged');
}

/** Ids beyond the last term may belong to newer terms. */
function requireTable(terms: DictionaryDescriptor): void {
  const words = new Uint32Array(terms.table);
  let taken = 0;
  for (let at = TABLE_HEADER; at < words.length; at += SLOT_WORDS) if (words[at] !== 0) taken++;
  requireImage(taken < (words.length - TABLE_HEADER) / SLOT_WORDS, 'its table of terms is full');
  const dictionary = new Dictionary(terms);
  for (let id = 1; id <= terms.termCount; id++) {
    const found = dictionary.findBytes(dictionary.bytes, dictionary.start(id), dictionary.end(id));
    requireImage(found === id, 'its table of terms is damaged');
  }
}

function requireBase(buffer: SharedArrayBuffer, termCount: number): void {
  const base = new BaseRun(buffer);
  const { words, quads, terms } = base;
  requireImage(4 * baseWords(base) === buffer.byteLength && terms <= termCount, 'its quads are damaged');
  for (const { offsets } of [base.bySubject, base.byObject]) {
    const sound = isAscending(words, offsets, offsets + terms + 2) && words[offsets + terms + 1] === quads;
    requireImage(sound, 'its quads are damaged');
  }
  const starts = base.graphStarts;
  const sound = isAscending(words, starts, starts + base.graphs + 1) && words[starts + base.graphs] === quads;
  requireImage(sound, 'its graphs are damaged');
  for (const { rows, end } of [base.bySubject, base.byObject]) {
    requireImage(allBelow(words, rows, end, terms + 1), 'its quads are damaged');
  }
  requireImage(allBelow(words, base.positions, base.predicateIds, quads), 'its graphs are damaged');
  const sum = sumOf(new BaseOrderScan(base).reset(BY_SUBJECT, 0, 0, quads), [0, 1, 2, 3]);
  const others = [
    sumOf(new BaseOrderScan(base).reset(BY_OBJECT, 0, 0, quads), [2, 1, 0, 3]),
    idsOf(base).reduce(
      (total, graph) => total ^ sumOf(new BaseGraphScan(base).reset(graph), [1, 2, 3, 0]),
      0,
    ),
  ];
  requireImage(
    others.every((each) => each === sum),
    'its orders do not have the same quads',
  );
}

function idsOf({ words, graphIds, graphs }: BaseRun): number[] {
  return [...words.subarray(graphIds, graphIds + graphs)];
}

/**
 * Returns a checksum of a scan's quads that is independent of their order. `columns` are those
 * of s, p, o and g.
 */
function sumOf(scan: Scan, columns: readonly [number, number, number, number]): number {
  const [s, p, o, g] = columns;
  let sum = 0;
  while (scan.next()) {
    const quad = [scan.a, scan.b, scan.c, scan.d] as const;
    sum ^= mix(mix(mix(mix(quad[s]!) ^ quad[p]!) ^ quad[o]!) ^ quad[g]!);
  }
  return sum;
}

function isAscending(words: Uint32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (words[i]! < words[i - 1]!) return false;
  return true;
}

function allBelow(words: Uint32Array, from: number, to: number, limit: number): boolean {
  for (let i = from; i < to; i++) if (words[i]! >= limit) return false;
  return true;
}
