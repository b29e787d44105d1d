import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Parser, type Quad } from 'n3';
import { parse } from 'oxigraph';

/**
 * Where the suites are published: what relative IRIs of manifests, data and queries are resolved
 * against.
 */
export const PUBLISHED = 'https://w3c.github.io/rdf-tests/sparql/sparql11/';

let parsed = 0;

/** The folder of one checkout of the suites, `sparql/sparql11` of w3c/rdf-tests. */
export class SuiteFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(iri: string): boolean {
    return existsSync(this.#path(iri));
  }

  text(iri: string): string {
    return readFileSync(this.#path(iri), 'utf8');
  }

  /** Blank nodes get labels that no other call has used. */
  quads(iri: string): Quad[] {
    return readQuads(this.text(iri), extname(iri), iri);
  }

  #path(iri: string): string {
    return join(this.#folder, decodeURIComponent(iri.slice(PUBLISHED.length)));
  }
}

/** `extension`: `.ttl`, `.nt` or `.rdf`. */
export function readQuads(text: string, extension: string, baseIRI: string): Quad[] {
  const turtle = extension === '.rdf' ? rdfXmlAsLines(text, baseIRI) : text;
  return new Parser({ baseIRI, blankNodePrefix: `f${parsed++}_` }).parse(turtle);
}

function rdfXmlAsLines(text: string, base_iri: string): string {
  const quads = parse(text, { format: 'application/rdf+xml', base_iri });
  return quads.map((quad) => `${quad.subject} ${quad.predicate} ${quad.object} .\n`).join('');
}
