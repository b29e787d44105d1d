import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { changeDate } from './change-date.ts';
import { termText } from './term-text.ts';
import type { WorkingGraphs } from './working-graphs.ts';

/** When and by which commit graphs changed. */
export interface Stamp {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Returns by how many triples each graph grows (negative if it shrinks), by name; graphs without
 * changes are left out.
 */
export function growthByGraph(changes: Changes, terms: TermBytes): Map<string, number> {
  const growth = new Map<TermId, number>();
  addCounts(growth, changes.additions, 1);
  addCounts(growth, changes.removals, -1);
  return new Map([...growth].map(([id, count]) => [graphName(terms, id), count]));
}

export function graphName(terms: TermBytes, id: TermId): string {
  return graphNameOf(termText(terms, id));
}

function addCounts(growth: Map<TermId, number>, quads: Uint32Array, each: number): void {
  for (let i = 3; i < quads.length; ) {
    const graph = quads[i]!;
    const from = i;
    while (i < quads.length && quads[i] === graph) i += 4;
    growth.set(graph, (growth.get(graph) ?? 0) + (each * (i - from)) / 4);
  }
}

/** Adds the growth to the graphs' rows; creates the rows of new graphs. */
export function growGraphs(graphs: WorkingGraphs, growth: ReadonlyMap<string, number>, stamp: Stamp): void {
  for (const [name, count] of growth) {
    const { size = 0, since = stamp.sequence, modified: previous } = graphs.get(name) ?? {};
    const modified = changeDate(stamp.modified, previous);
    graphs.set(name, { size: size + count, since, sequence: stamp.sequence, modified });
  }
}

/** Records that triples were removed from a graph. */
export function reduceGraph(graphs: WorkingGraphs, name: string, { sequence }: Stamp): void {
  const row = graphs.get(name);
  if (row) graphs.set(name, { ...row, since: sequence });
}

/** Returns the names of the graphs that lose triples, except for the system graph. */
export function reducedGraphs({ removals }: Changes, terms: TermBytes): string[] {
  const graphs = new Set<TermId>();
  for (let i = 3; i < removals.length; i += 4) graphs.add(removals[i]!);
  graphs.delete(SYSTEM_GRAPH_ID);
  return Array.from(graphs, (id) => graphName(terms, id));
}

/** Creates an empty graph if there is none of that name. */
export function createGraph(graphs: WorkingGraphs, name: string, stamp: Stamp): void {
  if (!graphs.get(name)) graphs.set(name, { size: 0, since: stamp.sequence, ...stamp });
}
