import { type ErrorData, errorData } from '../../errors.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';

/**
 * The graphs that only the interface of a URI space may change: those with names in the space, and
 * those in which the server keeps its data about the space.
 */
export class ProtectedGraphs {
  readonly #reader: SnapshotReader;
  readonly #space: string;
  readonly #known = new Map<TermId, boolean>();

  /** `space`: without a trailing slash. */
  constructor(reader: SnapshotReader, space: string) {
    this.#reader = reader;
    this.#space = space;
  }

  has(graph: TermId): boolean {
    const known = this.#known.get(graph);
    if (known !== undefined) return known;
    const name = graphNameOf(this.#reader.text(graph));
    const found = isServerGraph(name) || isWithin(name, this.#space);
    this.#known.set(graph, found);
    return found;
  }
}

/** Whether a URI is the root of a URI space or is below it. */
export function isWithin(uri: string, space: string): boolean {
  return uri.startsWith(space) && (uri.length === space.length || uri[space.length] === '/');
}

/**
 * Why clients may not write a graph directly (http-api C-5, C-6); undefined if they may. `space`:
 * the LDP space.
 */
export function protection(graph: string, space: string): ErrorData | undefined {
  if (isServerGraph(graph)) return serverManaged(graph);
  return isWithin(graph, space) ? ldpManaged(graph) : undefined;
}

export function serverManaged(graph: string): ErrorData {
  return errorData('server-managed', `<${graph}> is the server's own and can't be written.`, {
    uri: graph,
  });
}

export function ldpManaged(graph: string): ErrorData {
  const message = `<${graph}> belongs to the LDP space: write it through its own URL.`;
  return errorData('ldp-managed', message, { uri: graph });
}
