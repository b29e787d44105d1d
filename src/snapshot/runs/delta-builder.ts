import type { TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { DeltaRun, type PredicateCounts } from './delta-run.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT, ID_MASK, type Order, REMOVED } from './order.ts';
import { identity, sortBy } from './radix-sort.ts';
import type { SortedQuads } from './sorted-quads.ts';

/** Builds a run from sorted changes; returns undefined if there are none. */
export function buildDelta(quads: SortedQuads): DeltaRun | undefined {
  const { words, count, step } = quads;
  if (count === 0) return undefined;
  const run = DeltaRun.allocate(count, countPredicates(quads));
  for (let column = 0; column < 4; column++) {
    run.words.set(
      words.subarray(column * step, column * step + count),
      run.start(BY_SUBJECT) + column * count,
    );
  }
  fillOrder(run, BY_OBJECT, [1, 2], [2, 1, 0, 3]);
  fillOrder(run, BY_GRAPH, [3], [3, 0, 1, 2]);
  run.fillFilters();
  return run;
}

/**
 * Sorts the subject order of a run further, by the given columns, and writes its columns in another
 * order.
 */
function fillOrder(
  run: DeltaRun,
  order: Order,
  sortColumns: readonly number[],
  columns: readonly number[],
): void {
  const { words, quads } = run;
  const source = run.start(BY_SUBJECT);
  const permutation = identity(quads);
  for (const column of sortColumns) {
    const start = source + column * quads;
    sortBy(permutation, words.subarray(start, start + quads), 1, 0);
  }
  const target = run.start(order);
  columns.forEach((column, position) => {
    const from = source + column * quads;
    const to = target + position * quads;
    for (let i = 0; i < quads; i++) words[to + i] = words[from + permutation.rows[i]!]! & ID_MASK;
  });
  for (let i = 0; i < quads; i++) {
    const removed = words[source + 3 * quads + permutation.rows[i]!]! & REMOVED;
    words[target + 3 * quads + i]! |= removed;
  }
}

function countPredicates({ words, count, step }: SortedQuads): PredicateCounts {
  const counts = new Map<TermId, number>();
  for (let i = 0; i < count; i++) {
    const graph = words[3 * step + i]!;
    if ((graph & ID_MASK) === SYSTEM_GRAPH_ID) continue;
    const predicate = words[step + i]!;
    counts.set(predicate, (counts.get(predicate) ?? 0) + (graph > ID_MASK ? -1 : 1));
  }
  return counts;
}

/** Adds `more` to `counts`. */
function sumOf(counts: Map<TermId, number>, more: PredicateCounts): PredicateCounts {
  for (const [predicate, count] of more) counts.set(predicate, (counts.get(predicate) ?? 0) + count);
  for (const [predicate, count] of counts) if (count === 0) counts.delete(predicate);
  return counts;
}

/**
 * Merges consecutive runs, given from oldest to newest; returns undefined if they cancel each other
 * out.
 */
export function mergeRuns(runs: readonly DeltaRun[]): DeltaRun | undefined {
  if (runs.length < 2) return runs[0];
  const middle = runs.length >> 1;
  return mergeDeltas(mergeRuns(runs.slice(0, middle)), mergeRuns(runs.slice(middle)));
}

/** Merges two consecutive runs; returns undefined if they cancel each other out. */
export function mergeDeltas(older: DeltaRun | undefined, newer: DeltaRun | undefined): DeltaRun | undefined {
  if (older === undefined) return newer;
  if (newer === undefined) return older;
  const room = older.quads + newer.quads;
  const merged = new Uint32Array(4 * room);
  const count = mergeOrder(older, newer, BY_SUBJECT, merged, 0, room);
  if (count === 0) return undefined;
  const run = DeltaRun.allocate(count, sumOf(older.predicateCounts(), newer.predicateCounts()));
  for (let column = 0; column < 4; column++) {
    run.words.set(
      merged.subarray(column * room, column * room + count),
      run.start(BY_SUBJECT) + column * count,
    );
  }
  for (const order of [BY_OBJECT, BY_GRAPH] as const) {
    mergeOrder(older, newer, order, run.words, run.start(order), count);
  }
  run.fillFilters();
  return run;
}

/**
 * Writes columns at distances of `step`, starting at `start`. Returns the number of quads that
 * remain.
 */
function mergeOrder(
  x: DeltaRun,
  y: DeltaRun,
  order: Order,
  into: Uint32Array,
  start: number,
  step: number,
): number {
  const xs = x.start(order);
  const ys = y.start(order);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < x.quads && j < y.quads) {
    const sign = compare(x, xs + i, y, ys + j);
    if (sign === 0) {
      i++;
      j++;
    } else {
      if (sign < 0) copyQuad(x, xs + i++, into, start + count, step);
      else copyQuad(y, ys + j++, into, start + count, step);
      count++;
    }
  }
  for (; i < x.quads; i++) copyQuad(x, xs + i, into, start + count++, step);
  for (; j < y.quads; j++) copyQuad(y, ys + j, into, start + count++, step);
  return count;
}

/** Returns zero if both have the same quad: then one run adds what the other removes. */
function compare(x: DeltaRun, i: number, y: DeltaRun, j: number): number {
  const a = x.words[i]! - y.words[j]!;
  if (a !== 0) return a;
  const b = x.words[i + x.quads]! - y.words[j + y.quads]!;
  if (b !== 0) return b;
  const c = x.words[i + 2 * x.quads]! - y.words[j + 2 * y.quads]!;
  if (c !== 0) return c;
  return (x.words[i + 3 * x.quads]! & ID_MASK) - (y.words[j + 3 * y.quads]! & ID_MASK);
}

function copyQuad(run: DeltaRun, from: number, into: Uint32Array, to: number, step: number): void {
  for (let column = 0; column < 4; column++) {
    into[to + column * step] = run.words[from + column * run.quads]!;
  }
}
