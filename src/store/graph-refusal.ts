import { AppError } from '../errors.ts';
import { namedGraphs } from '../graph/named-graphs.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { ldpEntry } from './ldp-books.ts';
import { isServerGraph } from './protected-graphs.ts';
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

/** The graphs that an operation may change. Looks at all quads of a block that names graphs. */
export function graphsOf(operation: GraphOperation): string[] {
  if ('graph' in operation) return [operation.graph];
  const listed = operation.kind === 'replace-all' ? operation.graphs : [];
  return [...new Set([operation.defaultGraph, ...listed, ...namedGraphs(operation.block)])];
}

/** Why one graph may not be changed; undefined when it may. */
export function refusalOf(reader: SnapshotReader, graph: string): AppError | undefined {
  if (isServerGraph(graph)) {
    return new AppError('server-managed', `<${graph}> is the server's own and can't be written.`, {
      uri: graph,
    });
  }
  if (ldpEntry(reader, graph) === undefined) return undefined;
  const message = `<${graph}> belongs to the LDP space: write it through its own URL.`;
  return new AppError('ldp-managed', message, { uri: graph });
}
