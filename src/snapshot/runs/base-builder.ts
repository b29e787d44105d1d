import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import type { Scan } from '../read/scans.ts';
import { BaseRun } from './base-run.ts';

/** Quads in subject order, column by column. */
export interface Columns {
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
}

/**
 * Builds a base run from quads that come in subject order, each once.
 *
 * @param quads number of quads
 * @param terms the greatest id that may occur
 */
export function buildBase(scan: Scan, quads: number, terms: number): BaseRun {
  return baseOf(readColumns(scan, quads), terms);
}

export function baseOf(columns: Columns, terms: number): BaseRun {
  const quads = columns.s.length;
  const perGraph = countIds(columns.g, terms);
  const perPredicate = countIds(columns.p, terms);
  const graphs = presentIds(perGraph);
  const predicates = presentIds(perPredicate);
  const base = BaseRun.allocate({ quads, terms, graphs: graphs.length, predicates: predicates.length });
  fillSubjectOrder(base, columns);
  fillPredicates(base, columns, predicates, perPredicate);
  fillObjectOrder(base, columns, startsOf(perPredicate));
  fillGraphOrder(base, columns, graphs, startsOf(perGraph));
  return base;
}

export function readColumns(scan: Scan, quads: number): Columns {
  const s = new Uint32Array(quads);
  const p = new Uint32Array(quads);
  const o = new Uint32Array(quads);
  const g = new Uint32Array(quads);
  let count = 0;
  for (; scan.next(); count++) {
    s[count] = scan.a;
    p[count] = scan.b;
    o[count] = scan.c;
    g[count] = scan.d;
  }
  if (count !== quads) throw new Error(`The snapshot should have ${quads} quads but has ${count}.`);
  return { s, p, o, g };
}

/**
 * Entry `id` of the result counts its occurrences. The result has one entry more than the greatest
 * id requires.
 */
function countIds(column: Uint32Array, terms: number): Uint32Array {
  const counts = new Uint32Array(terms + 2);
  for (let i = 0; i < column.length; i++) counts[column[i]!]!++;
  return counts;
}

function presentIds(counts: Uint32Array): number[] {
  const ids: number[] = [];
  for (let id = 0; id < counts.length; id++) if (counts[id] !== 0) ids.push(id);
  return ids;
}

/** Replaces the counts by the start of each id's range, in place. */
function startsOf(counts: Uint32Array): Uint32Array {
  let start = 0;
  for (let id = 0; id < counts.length; id++) {
    const count = counts[id]!;
    counts[id] = start;
    start += count;
  }
  return counts;
}

function fillSubjectOrder(base: BaseRun, columns: Columns): void {
  const { words, offsets, rows } = base.bySubject;
  words.set(startsOf(countIds(columns.s, base.terms)), offsets);
  for (let i = 0, at = rows; i < base.quads; i++, at += 3) {
    words[at] = columns.p[i]!;
    words[at + 1] = columns.o[i]!;
    words[at + 2] = columns.g[i]!;
  }
}

/**
 * Two stable passes over the subject order, by predicate and by object, result in the object order.
 */
function fillObjectOrder(base: BaseRun, { s, p, o, g }: Columns, predicateStarts: Uint32Array): void {
  const byPredicate = new Uint32Array(base.quads);
  for (let i = 0; i < base.quads; i++) byPredicate[predicateStarts[p[i]!]!++] = i;
  const next = startsOf(countIds(o, base.terms));
  const { words, offsets, rows } = base.byObject;
  words.set(next, offsets);
  for (let i = 0; i < base.quads; i++) {
    const row = byPredicate[i]!;
    const at = rows + 3 * next[o[row]!]!++;
    words[at] = p[row]!;
    words[at + 1] = s[row]!;
    words[at + 2] = g[row]!;
  }
}

function fillGraphOrder(base: BaseRun, { g }: Columns, graphs: readonly number[], next: Uint32Array): void {
  const { words, positions } = base;
  words.set(graphs, base.graphIds);
  graphs.forEach((graph, i) => {
    words[base.graphStarts + i] = next[graph]!;
  });
  words[base.graphStarts + graphs.length] = base.quads;
  for (let i = 0; i < base.quads; i++) words[positions + next[g[i]!]!++] = i;
}

function fillPredicates(
  base: BaseRun,
  { p, g }: Columns,
  predicates: readonly number[],
  counts: Uint32Array,
): void {
  const visible = counts.slice();
  for (let i = 0; i < base.quads; i++) if (g[i] === SYSTEM_GRAPH_ID) visible[p[i]!]!--;
  base.words.set(predicates, base.predicateIds);
  predicates.forEach((predicate, i) => {
    base.words[base.predicateCounts + i] = visible[predicate]!;
  });
}
