import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { BaseRun } from '../runs/base-run.ts';
import { BY_OBJECT, BY_SUBJECT } from '../runs/order.ts';
import type { StoredSnapshot } from '../write/snapshot-writer.ts';
import { keptTerms } from './kept-terms.ts';

/**
 * Unused terms are kept if there are fewer than this, or if they are less than half of all terms.
 */
const LEAST_DROPPED = 1 << 16;

/**
 * Removes the terms from a stored state that no quad uses any more, if there are many. A process
 * keeps every term that it has seen, so a client that changes values all the time would fill the
 * dictionary. Terms keep their order, which determines the order of results. A term that was
 * dropped and occurs again counts as a new one.
 */
export function withoutUnusedTerms(stored: StoredSnapshot, leastDropped = LEAST_DROPPED): StoredSnapshot {
  const { termCount, sequence } = stored;
  const base = new BaseRun(stored.base);
  const kept = stored.usedTerms ?? usedTerms(base, termCount);
  const dropped = termCount - kept;
  if (dropped < leastDropped || dropped < kept) return stored;
  const numbers = numberUsed(base, termCount);
  const renumbered = renumberedBase(base, kept, numbers);
  return { sequence, ...keptTerms(stored, kept, numbers), base: renumbered.words.buffer };
}

/** Returns how many terms the quads use; the system graph counts as used. */
export function usedTerms(base: BaseRun, termCount: number): number {
  return numberUsed(base, termCount)[termCount + 1]!;
}

/** Returns the new number of each used term, and 0 for others; after the last one, their count. */
function numberUsed(base: BaseRun, termCount: number): Uint32Array {
  const numbers = new Uint32Array(termCount + 2);
  numbers[SYSTEM_GRAPH_ID] = 1;
  for (const order of [base.bySubject, base.byObject]) {
    for (let id = 1; id <= base.terms; id++) if (order.first(id) < order.first(id + 1)) numbers[id] = 1;
  }
  for (let i = 0; i < base.predicates; i++) numbers[base.words[base.predicateIds + i]!] = 1;
  for (let i = 0; i < base.graphs; i++) numbers[base.words[base.graphIds + i]!] = 1;
  let count = 0;
  for (let id = 1; id <= termCount; id++) if (numbers[id] === 1) numbers[id] = ++count;
  numbers[termCount + 1] = count;
  return numbers;
}

/** Terms keep their order, so sorted rows stay sorted. */
function renumberedBase(old: BaseRun, terms: number, numbers: Uint32Array): BaseRun {
  const { quads, graphs, predicates } = old;
  const base = BaseRun.allocate({ quads, terms, graphs, predicates });
  const { words } = base;
  const renumber = (from: number, to: number, count: number) => {
    for (let i = 0; i < count; i++) words[to + i] = numbers[old.words[from + i]!]!;
  };
  const copy = (from: number, to: number, count: number) =>
    words.set(old.words.subarray(from, from + count), to);
  for (const order of [BY_SUBJECT, BY_OBJECT] as const) {
    const from = old.order(order);
    const { offsets, rows } = base.order(order);
    for (let id = 1; id < numbers.length - 1; id++) {
      if (numbers[id] !== 0) words[offsets + numbers[id]!] = from.first(id);
    }
    words[offsets + terms + 1] = quads;
    renumber(from.rows, rows, 3 * quads);
  }
  renumber(old.graphIds, base.graphIds, graphs);
  copy(old.graphStarts, base.graphStarts, graphs + 1);
  copy(old.positions, base.positions, quads);
  renumber(old.predicateIds, base.predicateIds, predicates);
  copy(old.predicateCounts, base.predicateCounts, predicates);
  return base;
}
