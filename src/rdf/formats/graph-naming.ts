import type { TermBytes } from '../model/path-graph.ts';
import { NO_TERM, type TermId } from '../model/term-id.ts';
import { ascii } from './chunk-writer.ts';

/** The graph that a writer names. */
export interface GraphNaming {
  /** False for formats of triples, which name no graph. */
  readonly graphs: boolean;
  /** IRI of the only graph that is named; without it, the graph of each quad. */
  readonly graphName?: string;
}

const nothing = new Uint8Array(0);

/** The canonical names of the graphs of quads, which are empty if none should be named. */
export class GraphNames {
  readonly #terms: TermBytes;
  readonly #fixed: Uint8Array | undefined;

  constructor(terms: TermBytes, naming: GraphNaming) {
    this.#terms = terms;
    if (!naming.graphs) this.#fixed = nothing;
    else if (naming.graphName !== undefined) this.#fixed = ascii(`<${naming.graphName}>`);
  }

  /** Returns the same value for graphs that are written as one. */
  key(graph: TermId): TermId {
    return this.#fixed === undefined ? graph : NO_TERM;
  }

  name(graph: TermId): Uint8Array {
    if (this.#fixed !== undefined) return this.#fixed;
    const { bytes, ends } = this.#terms;
    return graph === NO_TERM ? nothing : bytes.subarray(ends[graph - 1]!, ends[graph]!);
  }
}
