import type { Body, CallOptions, Conditions, Sender } from './sender.ts';

/** A graph: its name, or the default context. */
export type GraphName = string | { readonly default: true };

export interface ListedGraph {
  readonly uri: string;
  readonly label: string;
  /** Number of triples. */
  readonly size: number;
}

export interface ListOptions extends CallOptions {
  /** Only graphs whose name begins with `{base}/context/`. */
  readonly filter?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

export interface RdfOptions extends Conditions {
  /** Media type of the RDF; `text/turtle` by default. */
  readonly type?: string;
}

export interface ReadGraphOptions extends RdfOptions {
  /** The number of a commit: the graph as it was after that, if the server still has that. */
  readonly commit?: number;
}

/** What an import did. */
export interface Import {
  /** False if the graph existed. */
  readonly created: boolean;
  /** Number of new triples; undefined if the graph was created, or if the body had none. */
  readonly added: number | undefined;
}

export const TURTLE = 'text/turtle';

/** Named graphs (http-api 2). */
export class GraphCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns the graphs, sorted by name. */
  list({ filter, offset, limit, ...options }: ListOptions = {}): Promise<ListedGraph[]> {
    const parameters = { labels: true, filter, offset, limit };
    return this.#sender.json('/context/list', { parameters }, options);
  }

  /**
   * Returns the response with the graph, to be read by `text()` or from `body`. Its status is 304
   * if `ifNoneMatch` names its entity tag.
   */
  get(graph: GraphName, { type = TURTLE, commit, ...options }: ReadGraphOptions = {}): Promise<Response> {
    const request = { parameters: { ...parametersOf(graph), commit }, accept: type, expected: [304] };
    return this.#sender.send('/context', request, options);
  }

  /** Replaces the graph. Returns true if it was created. */
  async put(graph: GraphName, rdf: Body, { type = TURTLE, ...options }: RdfOptions = {}): Promise<boolean> {
    const request = { method: 'PUT', parameters: parametersOf(graph), type, body: rdf };
    return (await this.#sender.status('/context', request, options)) === 201;
  }

  /** Adds triples to the graph, which is created if it does not exist. */
  async add(graph: GraphName, rdf: Body, { type = TURTLE, ...options }: RdfOptions = {}): Promise<Import> {
    const request = { method: 'POST', parameters: parametersOf(graph), type, body: rdf };
    const response = await this.#sender.send('/context', request, options);
    if (response.status === 200) {
      const { added } = (await response.json()) as { readonly added: number };
      return { created: false, added };
    }
    await response.body?.cancel();
    return { created: response.status === 201, added: undefined };
  }

  async delete(graph: GraphName, options?: Conditions): Promise<void> {
    await this.#sender.status('/context', { method: 'DELETE', parameters: parametersOf(graph) }, options);
  }
}

/** The parameters that name a graph. */
export function parametersOf(graph: GraphName): { readonly graph: string } | { readonly default: true } {
  return typeof graph === 'string' ? { graph } : { default: true };
}
