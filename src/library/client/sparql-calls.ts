import type { CallOptions, Sender } from './sender.ts';

/** A term in results of SPARQL, as their JSON format has it. */
export type SparqlTerm =
  | { readonly type: 'uri' | 'bnode'; readonly value: string }
  | {
      readonly type: 'literal';
      readonly value: string;
      readonly 'xml:lang'?: string;
      readonly 'its:dir'?: string;
      readonly datatype?: string;
    }
  | {
      readonly type: 'triple';
      readonly value: {
        readonly subject: SparqlTerm;
        readonly predicate: SparqlTerm;
        readonly object: SparqlTerm;
      };
    };

export interface SelectResult {
  readonly variables: readonly string[];
  /** The values of the variables that are bound, by name, for each solution. */
  readonly solutions: readonly Readonly<Record<string, SparqlTerm>>[];
}

export interface QueryOptions extends CallOptions {
  /** The default graph is the merge of these, instead of what the query or the server says. */
  readonly defaultGraphs?: readonly string[];
  readonly namedGraphs?: readonly string[];
}

export interface GraphQueryOptions extends QueryOptions {
  /** Media type of the response; `text/turtle` by default. */
  readonly type?: string;
}

export interface UpdateOptions extends CallOptions {
  /** The graphs that patterns see, instead of USING in the update. */
  readonly usingGraphs?: readonly string[];
  readonly usingNamedGraphs?: readonly string[];
}

interface ResultsJson {
  readonly head: { readonly vars: readonly string[] };
  readonly results: { readonly bindings: SelectResult['solutions'] };
}

const RESULTS_JSON = 'application/sparql-results+json';

/** SPARQL queries and updates (docs/sparql.md). */
export class SparqlCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  async select(query: string, options?: QueryOptions): Promise<SelectResult> {
    const response = await this.#query(query, RESULTS_JSON, options);
    const { head, results } = (await response.json()) as ResultsJson;
    return { variables: head.vars, solutions: results.bindings };
  }

  async ask(query: string, options?: QueryOptions): Promise<boolean> {
    const response = await this.#query(query, RESULTS_JSON, options);
    return ((await response.json()) as { readonly boolean: boolean }).boolean;
  }

  /** Evaluates CONSTRUCT or DESCRIBE. Returns the response with the RDF. */
  construct(query: string, { type = 'text/turtle', ...options }: GraphQueryOptions = {}): Promise<Response> {
    return this.#query(query, type, options);
  }

  /** Resolves when the update is on disk. */
  async update(update: string, options: UpdateOptions = {}): Promise<void> {
    const { usingGraphs = [], usingNamedGraphs = [], signal } = options;
    const parameters = { 'using-graph-uri': usingGraphs, 'using-named-graph-uri': usingNamedGraphs };
    const request = { method: 'POST', parameters, type: 'application/sparql-update', body: update };
    await this.#sender.status('/update', request, { signal });
  }

  #query(query: string, accept: string, options: QueryOptions = {}): Promise<Response> {
    const { defaultGraphs = [], namedGraphs = [], signal } = options;
    const parameters = { 'default-graph-uri': defaultGraphs, 'named-graph-uri': namedGraphs };
    const request = { method: 'POST', parameters, accept, type: 'application/sparql-query', body: query };
    return this.#sender.send('/query', request, { signal });
  }
}
