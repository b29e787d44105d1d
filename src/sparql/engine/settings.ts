/** What a SPARQL thread is told when it starts. */
export interface EngineSettings {
  /** Bytes of memory that Oxigraph may have. */
  readonly maxBytes: number;
  /** Bytes that one result may have. */
  readonly resultBytes: number;
  /** What queries see as their default graph when neither they nor their request name one. */
  readonly defaultGraphIs: 'union' | 'default';
  /** IRI of the graph that holds what names no graph. */
  readonly defaultGraph: string;
  /** IRI of the server's graph that is part of the union of all graphs, but can't be named. */
  readonly unnamedGraph: string;
}
