import type { ListedGraph } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';

const PAGE = 5000;
/** The page of graphs keeps all that it lists in memory. */
export const MAX_GRAPHS = 200_000;

/** Yields all graphs, sorted by name, in pages. */
export async function* graphPages(signal: AbortSignal): AsyncGenerator<ListedGraph[], void> {
  for (let offset = 0; offset < MAX_GRAPHS; offset += PAGE) {
    const graphs = await client.graphs.list({ offset, limit: PAGE, signal });
    yield graphs;
    if (graphs.length < PAGE) return;
  }
}

/** Returns what the listing says of a graph, or undefined if it has no such graph. */
export async function findGraph(uri: string, signal: AbortSignal): Promise<ListedGraph | undefined> {
  for await (const graphs of graphPages(signal)) {
    const found = graphs.find((graph) => graph.uri === uri);
    if (found) return found;
  }
  return undefined;
}
