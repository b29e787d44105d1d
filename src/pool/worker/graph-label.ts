import type { PathGraph } from '../../rdf/model/path-graph.ts';
import { parseTerm, XSD_STRING } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';

const labelProperties = [
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
];

const languages = ['', 'en', 'de'];

/** Human-readable names of graphs. */
export class GraphLabels {
  readonly #graph: PathGraph;
  readonly #properties: readonly TermId[];

  constructor(graph: PathGraph) {
    this.#graph = graph;
    this.#properties = labelProperties.map((property) => graph.find(`<${property}>`));
  }

  /**
   * Returns the first label of the graph's name as a subject, preferring untagged labels to English
   * and English to German. Without a label it returns the part of the name after the last `/` or
   * `#` (http-api 2.3). `id`: of the name, 0 if no triple contains it.
   */
  of(name: string, id: TermId): string {
    const ids: TermId[] = [];
    for (const property of this.#properties) this.#graph.objects(id, property, ids);
    if (ids.length > 0) {
      const labels = literalsOf(this.#graph, ids);
      for (const language of languages) {
        const found = labels.find((label) => label.language.toLowerCase() === language);
        if (found) return found.value;
      }
    }
    return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#')) + 1);
  }
}

function literalsOf(graph: PathGraph, ids: readonly TermId[]) {
  return ids
    .map((id) => parseTerm(graph.text(id)))
    .filter((term) => term.kind === 'literal')
    .filter((term) => term.datatype === XSD_STRING || term.language !== '');
}
