import type { TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { DeltaRun, type PredicateCounts } from './delta-run.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT, ID_MASK, type Order, REMOVED } from './order.ts';
import { identity, sortBy } from './radix-sort.ts';
import { SortedColumns } from './sorted-columns.ts';

/** Builds a run from sorted changes; returns undefined if there are none. */
export function buildDelta(quads: SortedColumns): DeltaRun | undefined {
  if (quads.count === 0) return undefined;
  const run = DeltaRun.allocate(quads.count, countPredicates(quads));
  run.order(BY_SUBJECT).fill(quads);
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
  const { quads } = run;
  const source = run.order(BY_SUBJECT);
  const target = run.order(order);
  const permutation = identity(quads);
  for (const column of sortColumns) sortBy(permutation, { words: source.column(column), first: 0, step: 1 });
  columns.forEach((column, position) => {
    const from = source.column(column);
    const to = target.column(position);
    for (let i = 0; i < quads; i++) to[i] = from[permutation.rows[i]!]! & ID_MASK;
  });
  const marks = source.column(3);
  const last = target.column(3);
  for (let i = 0; i < quads; i++) last[i]! |= marks[permutation.rows[i]!]! & REMOVED;
}

function countPredicates(quads: SortedColumns): PredicateCounts {
  const counts = new Map<TermId, number>();
  const predicates = quads.column(1);
  const graphs = quads.column(3);
  for (let i = 0; i < quads.count; i++) {
    const graph = graphs[i]!;
    if ((graph & ID_MASK) === SYSTEM_GRAPH_ID) continue;
    const predicate = predicates[i]!;
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
  const merged = SortedColumns.allocate(older.quads + newer.quads);
  const count = mergeColumns(older.order(BY_SUBJECT), newer.order(BY_SUBJECT), merged);
  if (count === 0) return undefined;
  const run = DeltaRun.allocate(count, sumOf(older.predicateCounts(), newer.predicateCounts()));
  run.order(BY_SUBJECT).fill(merged);
  for (const order of [BY_OBJECT, BY_GRAPH] as const) {
    mergeColumns(older.order(order), newer.order(order), run.order(order));
  }
  run.fillFilters();
  return run;
}

/**
 * Merges the columns of two consecutive runs. A quad that both have is left out: then one run adds
 * what the other removes. Returns the number of quads that remain.
 */
function mergeColumns(x: SortedColumns, y: SortedColumns, into: SortedColumns): number {
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < x.count && j < y.count) {
    const sign = x.compare(i, y, j);
    if (sign === 0) {
      i++;
      j++;
    } else if (sign < 0) into.copy(x, i++, count++);
    else into.copy(y, j++, count++);
  }
  while (i < x.count) into.copy(x, i++, count++);
  while (j < y.count) into.copy(y, j++, count++);
  return count;
}
