import { DataFactory, type Store, type Term } from 'n3';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

const prefixes: Readonly<Record<string, string>> = {
  rdf: RDF,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  mf: 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#',
  qt: 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#',
  ut: 'http://www.w3.org/2009/sparql/tests/test-update#',
  rs: 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#',
  ht: 'http://www.w3.org/2011/http#',
  cnt: 'http://www.w3.org/2011/content#',
  sd: 'http://www.w3.org/ns/sparql-service-description#',
};

/** A node of a graph and what the graph says about it. Properties are named as `mf:action`. */
export class Described {
  readonly #graph: Store;
  readonly term: Term;

  constructor(graph: Store, term: Term) {
    this.#graph = graph;
    this.term = term;
  }

  get value(): string {
    return this.term.value;
  }

  all(property: string): Described[] {
    const values = this.#graph.getObjects(this.term, DataFactory.namedNode(expanded(property)), null);
    return values.map((value) => new Described(this.#graph, value));
  }

  one(property: string): Described | undefined {
    return this.all(property)[0];
  }

  /** Returns the items of the lists that are its values. */
  list(property: string): Described[] {
    return this.all(property).flatMap((list) => list.#items());
  }

  /** Returns IRIs without their namespaces. */
  get types(): string[] {
    return this.all('rdf:type').map(({ value }) => localName(value));
  }

  #items(): Described[] {
    const first = this.one('rdf:first');
    return first ? [first, ...this.list('rdf:rest')] : [];
  }
}

/** Returns all nodes of a class. */
export function instancesOf(graph: Store, type: string): Described[] {
  const subjects = graph.getSubjects(expanded('rdf:type'), expanded(type), null);
  return subjects.map((subject) => new Described(graph, subject));
}

/** Returns the text after the last `/` or `#`. */
export function localName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
}

function expanded(name: string): string {
  const [prefix = '', local = ''] = name.split(':');
  return prefixes[prefix] + local;
}
