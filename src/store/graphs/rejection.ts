import type { ErrorData } from '../../errors.ts';
import { ldpEntry } from '../../ldp/registry.ts';
import { namedGraphs } from '../../rdf/model/named-graphs.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { GraphOperation } from '../main/transaction.ts';
import { ldpManaged, serverManaged } from './protected-graphs.ts';

/**
 * Why an operation may not change a graph (http-api C-5, C-6), for every client; undefined if it
 * may.
 */
export function graphRejection(
  reader: SnapshotReader,
  operation: GraphOperation,
  graphs: Iterable<string> = graphsOf(operation),
): ErrorData | undefined {
  for (const graph of graphs) {
    const rejection = rejectionOf(reader, graph);
    if (rejection) return rejection;
  }
  return undefined;
}

/**
 * Returns the graphs that an operation may change. Reads all quads of a block that names graphs.
 */
export function graphsOf(operation: GraphOperation): string[] {
  if ('graph' in operation) return [operation.graph];
  if (operation.kind === 'update') {
    const { cleared, created, dropped, removals, additions } = operation;
    return unique([...cleared, ...created, ...dropped], removals, additions);
  }
  return unique([operation.defaultGraph], operation.block);
}

function unique(graphs: readonly string[], ...blocks: readonly QuadBlock[]): string[] {
  return [...new Set([...graphs, ...blocks.flatMap((block) => [...namedGraphs(block)])])];
}

/** Why a graph may not be changed; undefined if it may. */
export function rejectionOf(reader: SnapshotReader, graph: string): ErrorData | undefined {
  if (isServerGraph(graph)) return serverManaged(graph);
  return ldpEntry(reader, graph) === undefined ? undefined : ldpManaged(graph);
}
