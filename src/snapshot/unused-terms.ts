import { BaseRun } from './base-run.ts';
import { keptTerms } from './kept-terms.ts';
import { BY_OBJECT, BY_SUBJECT } from './order.ts';
import { SYSTEM_GRAPH_ID } from './system-graph.ts';
import type { StoredSnapshot } from './writer.ts';

/** Fewer unused terms than this are left where they are, and so are those that are less than half of all. */
const LEAST_DROPPED = 1 << 16;

/**
 * A stored state without the terms that no quad uses any more, when they are many: a process keeps every term that it has
 * met, and who changes values all the time would fill the dictionary. Terms keep their order, which is that of results; a term
 * that was dropped and comes again is a new one.
 */
export function withoutUnusedTerms(stored: StoredSnapshot, leastDropped = LEAST_DROPPED): StoredSnapshot {
  const { termCount, sequence } = stored;
  const base = new BaseRun(stored.base);
  const numbers = numberUsed(base, termCount);
  const kept = numbers[termCount + 1]!;
  const dropped = termCount - kept;
  if (dropped < leastDropped || dropped < kept) return stored;
  const renumbered = renumberedBase(base, kept, numbers);
  return { sequence, ...keptTerms(stored, kept, numbers), base: renumbered.words.buffer };
}

/** The new number of each term that is used, 0 for others; behind the last one stands how many there are. */
function numberUsed(base: BaseRun, termCount: number): Uint32Array {
  const numbers = new Uint32Array(termCount + 2);
  numbers[SYSTEM_GRAPH_ID] = 1;
  for (const order of [BY_SUBJECT, BY_OBJECT] as const) {
    for (let id = 1; id <= base.terms; id++)
      if (base.first(order, id) < base.first(order, id + 1)) numbers[id] = 1;
  }
  for (let i = 0; i < base.predicates; i++) numbers[base.words[base.predicateIds + i]!] = 1;
  for (let i = 0; i < base.graphs; i++) numbers[base.words[base.graphIds + i]!] = 1;
  let count = 0;
  for (let id = 1; id <= termCount; id++) if (numbers[id] === 1) numbers[id] = ++count;
  numbers[termCount + 1] = count;
  return numbers;
}

/** Terms keep their order, so what was sorted by them is sorted still. */
function renumberedBase(old: BaseRun, terms: number, numbers: Uint32Array): BaseRun {
  const { quads, graphs, predicates } = old;
  const base = BaseRun.allocate({ quads, terms, graphs, predicates });
  const { words } = base;
  const renumber = (from: number, to: number, count: number) => {
    for (let i = 0; i < count; i++) words[to + i] = numbers[old.words[from + i]!]!;
  };
  const copy = (from: number, to: number, count: number) =>
    words.set(old.words.subarray(from, from + count), to);
  for (const [order, offsets] of [
    [BY_SUBJECT, base.subjectOffsets],
    [BY_OBJECT, base.objectOffsets],
  ] as const) {
    for (let id = 1; id < numbers.length - 1; id++) {
      if (numbers[id] !== 0) words[offsets + numbers[id]!] = old.first(order, id);
    }
    words[offsets + terms + 1] = quads;
  }
  renumber(old.subjectRows, base.subjectRows, 3 * quads);
  renumber(old.objectRows, base.objectRows, 3 * quads);
  renumber(old.graphIds, base.graphIds, graphs);
  copy(old.graphStarts, base.graphStarts, graphs + 1);
  copy(old.positions, base.positions, quads);
  renumber(old.predicateIds, base.predicateIds, predicates);
  copy(old.predicateCounts, base.predicateCounts, predicates);
  return base;
}
