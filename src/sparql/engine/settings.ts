/** The settings passed to a SPARQL thread when it starts. */
export interface EngineSettings {
  /** Bytes of memory that Oxigraph may use. */
  readonly maxBytes: number;
  /** Maximum bytes of one result. */
  readonly resultBytes: number;
  /** The default graph of queries if neither they nor their requests name one. */
  readonly defaultGraphIs: 'union' | 'default';
  /** IRI of the graph that contains the triples without a graph name. */
  readonly defaultGraph: string;
  /** IRI of the server's graph that is part of the union of all graphs, but can't be named. */
  readonly unnamedGraph: string;
}
