import type { TermId } from '../../rdf/model/term-id.ts';

/** Name of the graph with the server's own registries. Views over all graphs omit it. */
export const SYSTEM_GRAPH = 'urn:x-pathpool:system';

/** Name of the graph with what the server states about the LDP space (see `ldp/registry.ts`). */
export const LDP_GRAPH = 'urn:x-pathpool:ldp-managed';

/**
 * Whether a graph is one of the server's own: not a context, and written only by the server
 * (http-api C-5).
 */
export function isServerGraph(name: string): boolean {
  return name === SYSTEM_GRAPH || name === LDP_GRAPH;
}

/** Every dictionary begins with the name of the system graph, so its id is the same everywhere. */
export const SYSTEM_GRAPH_ID: TermId = 1;
