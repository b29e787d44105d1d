import type { QuadCursor } from '../model/quad-cursor.ts';
import { NO_TERM } from '../model/term-id.ts';
import { ascii } from './chunk-writer.ts';

/** The graph that a writer names. */
export interface GraphNaming {
  /** False for formats of triples, which name no graph. */
  readonly graphs: boolean;
  /** IRI of the only graph that is named; without it, the graph of each quad. */
  readonly graphName?: string;
}

const nothing = new Uint8Array(0);

/**
 * Returns the canonical name of the current quad's graph, which is empty if none should be named.
 */
export class GraphNames {
  readonly #cursor: QuadCursor;
  readonly #fixed: Uint8Array | undefined;

  constructor(cursor: QuadCursor, naming: GraphNaming) {
    this.#cursor = cursor;
    if (!naming.graphs) this.#fixed = nothing;
    else if (naming.graphName !== undefined) this.#fixed = ascii(`<${naming.graphName}>`);
  }

  /** Changes only when the written graph changes. */
  get key(): number {
    return this.#fixed === undefined ? this.#cursor.graph : NO_TERM;
  }

  get current(): Uint8Array {
    if (this.#fixed !== undefined) return this.#fixed;
    const { terms, graph } = this.#cursor;
    return graph === NO_TERM ? nothing : terms.bytes.subarray(terms.start(graph), terms.end(graph));
  }
}
