import type { TermId } from '../../rdf/model/term-id.ts';

/** Name of the graph with the server's own registries. Views over all graphs omit it. */
export const SYSTEM_GRAPH = 'urn:x-pathpool:system';

/** With this the names of all graphs begin that the server keeps for itself. */
export const SERVER_GRAPHS = 'urn:x-pathpool:';

/** Every dictionary begins with the name of the system graph, so its id is the same everywhere. */
export const SYSTEM_GRAPH_ID: TermId = 1;
