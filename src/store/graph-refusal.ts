import type { AppError } from '../errors.ts';
import { NO_GRAPH, type QuadBlock } from '../graph/quad-block.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { termOfBlock } from './block-terms.ts';
import { ldpEntry } from './ldp-books.ts';
import { isServerGraph, ldpManaged, serverManaged } from './protected-graphs.ts';
import type { GraphOperation } from './transaction.ts';

/** Why an operation may not change a graph (http-api C-5, C-6), whoever asks for it; undefined when it may. */
export function graphRefusal(
  reader: SnapshotReader,
  operation: GraphOperation,
  graphs: Iterable<string> = graphsOf(operation),
): AppError | undefined {
  for (const graph of graphs) {
    const refusal = refusalOf(reader, graph);
    if (refusal) return refusal;
  }
  return undefined;
}

/** The graphs that an operation may change. Looks at all quads of a `load` and of an `update`. */
export function graphsOf(operation: GraphOperation): string[] {
  if (operation.kind === 'load') return unique([operation.defaultGraph], operation.block);
  if (operation.kind !== 'update') return [operation.graph];
  const { cleared, created, dropped, removals, additions } = operation;
  return unique([...cleared, ...created, ...dropped], removals, additions);
}

function unique(graphs: readonly string[], ...blocks: readonly QuadBlock[]): string[] {
  return [...new Set([...graphs, ...blocks.flatMap(graphsNamed)])];
}

/** Why one graph may not be changed; undefined when it may. */
export function refusalOf(reader: SnapshotReader, graph: string): AppError | undefined {
  if (isServerGraph(graph)) return serverManaged(graph);
  return ldpEntry(reader, graph) === undefined ? undefined : ldpManaged(graph);
}

function graphsNamed(block: QuadBlock): string[] {
  const { quads } = block;
  const found = new Set<number>();
  for (let i = 3, last = NO_GRAPH; i < quads.length; i += 4) {
    const graph = quads[i]!;
    if (graph === last) continue;
    last = graph;
    if (graph !== NO_GRAPH) found.add(graph);
  }
  return [...found].map((index) => termOfBlock(block, index).slice(1, -1));
}
