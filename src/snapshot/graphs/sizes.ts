import type { TermId } from '../../rdf/model/term-id.ts';
import { BY_GRAPH, ID_MASK } from '../runs/order.ts';
import type { Runs } from '../runs/runs.ts';
import { sortTail } from '../runs/sort-tail.ts';

/**
 * Returns the number of quads in one graph: those of the base run, plus the additions of newer
 * runs, minus their removals.
 */
export function graphSize({ base, deltas, log }: Runs, graph: TermId): number {
  let size = base.firstOfGraph(graph + 1) - base.firstOfGraph(graph);
  for (const run of deltas) {
    const byGraph = run.order(BY_GRAPH);
    const marks = byGraph.column(3);
    const from = byGraph.seek(graph, 0, 0);
    const to = byGraph.seekNear(from, graph + 1, 0, 0);
    for (let i = from; i < to; i++) size += marks[i]! > ID_MASK ? -1 : 1;
  }
  for (let entry = log.head(BY_GRAPH, graph); entry !== 0; entry = log.older(BY_GRAPH, entry)) {
    if (entry <= log.count && log.id(entry, 3) === graph) size += log.removes(entry) ? -1 : 1;
  }
  return size;
}

/** Returns the graphs that have quads, ascending. */
export function graphIds(runs: Runs): TermId[] {
  const { base, deltas, log } = runs;
  const candidates: TermId[] = [];
  for (let i = 0; i < base.graphs; i++) candidates.push(base.words[base.graphIds + i]!);
  for (const run of deltas) {
    for (const graph of run.order(BY_GRAPH).column(0)) {
      if (graph !== candidates[candidates.length - 1]) candidates.push(graph);
    }
  }
  for (let entry = 1; entry <= log.count; entry++) candidates.push(log.id(entry, 3));
  sortTail(candidates, 0);
  return candidates.filter((graph) => graphSize(runs, graph) > 0);
}
