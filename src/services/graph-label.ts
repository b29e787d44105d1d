import type { PathGraph } from '../graph/path-graph.ts';
import { parseTerm, RDF_LANG_STRING, XSD_STRING } from '../graph/term.ts';
import type { TermId } from '../graph/term-id.ts';

const labelProperties = [
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
];

const languages = ['', 'en', 'de'];

/**
 * A name for people (http-api 2.3): the first label of the graph's name as a subject, untagged before English
 * before German; else the part of the name after its last `/` or `#`.
 */
export function graphLabel(graph: PathGraph, name: string): string {
  const subject = graph.find(`<${name}>`);
  const labels = labelProperties.flatMap((property) => literalsOf(graph, subject, property));
  for (const language of languages) {
    const found = labels.find((label) => label.language === language);
    if (found) return found.value;
  }
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#')) + 1);
}

function literalsOf(graph: PathGraph, subject: TermId, property: string) {
  const ids: TermId[] = [];
  graph.objects(subject, graph.find(`<${property}>`), ids);
  return ids
    .map((id) => parseTerm(graph.text(id)))
    .filter((term) => term.kind === 'literal')
    .filter((term) => term.datatype === XSD_STRING || term.datatype === RDF_LANG_STRING);
}
