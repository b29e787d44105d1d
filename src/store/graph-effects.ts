import type { TermBytes } from '../graph/path-graph.ts';
import type { TermId } from '../graph/term-id.ts';
import type { Changes } from '../snapshot/changes.ts';
import { termText } from './term-text.ts';
import type { WorkingGraphs } from './working-graphs.ts';

/** When and by which commit graphs changed. */
export interface Stamp {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** By how many triples each graph grows (or shrinks, below 0), by name; graphs without changes are not in it. */
export function growthByGraph(changes: Changes, terms: TermBytes): Map<string, number> {
  const growth = new Map<TermId, number>();
  addCounts(growth, changes.additions, 1);
  addCounts(growth, changes.removals, -1);
  return new Map([...growth].map(([id, count]) => [graphName(terms, id), count]));
}

/** The IRI of a graph. */
export function graphName(terms: TermBytes, id: TermId): string {
  return termText(terms, id).slice(1, -1);
}

function addCounts(growth: Map<TermId, number>, quads: Uint32Array, each: number): void {
  for (let i = 3; i < quads.length; ) {
    const graph = quads[i]!;
    const from = i;
    while (i < quads.length && quads[i] === graph) i += 4;
    growth.set(graph, (growth.get(graph) ?? 0) + (each * (i - from)) / 4);
  }
}

/** Takes the growth into the graphs' rows; a graph that did not exist does now. */
export function growGraphs(graphs: WorkingGraphs, growth: ReadonlyMap<string, number>, stamp: Stamp): void {
  for (const [name, count] of growth) {
    graphs.set(name, { size: (graphs.get(name)?.size ?? 0) + count, ...stamp });
  }
}

/** Makes an empty graph exist, when there is none of that name. */
export function createGraph(graphs: WorkingGraphs, name: string, stamp: Stamp): void {
  if (!graphs.get(name)) graphs.set(name, { size: 0, ...stamp });
}
