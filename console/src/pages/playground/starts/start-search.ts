import { client } from '../../../app/client.ts';
import { askUtility, expanded, type Namespaces, shortened } from '../../../editor/ldpath/known-names.ts';

/** A resource, or a prefix with which the search goes on. */
export interface Suggestion {
  /** The IRI; undefined for a prefix. */
  readonly iri?: string;
  /** A prefixed name, an IRI, or a prefix with its colon. */
  readonly name: string;
  readonly label?: string;
}

const MAX_BY_LABEL = 20;
/** A shorter text is in too many labels. */
const MIN_LABEL_LENGTH = 3;
/** Milliseconds after which a search by label is given up: there is no index of labels. */
const LABEL_TIME = 15_000;
const LABELS =
  '<http://www.w3.org/2000/01/rdf-schema#label>|<http://www.w3.org/2004/02/skos/core#prefLabel>|' +
  '<http://xmlns.com/foaf/0.1/name>|<http://purl.org/dc/terms/title>|<http://schema.org/name>';

/** Becomes false when the server rejects a query: without SPARQL it is not asked again. */
let hasSparql = true;

/** Finds resources whose IRI or prefixed name begins with the text, and prefixes that do. */
export async function searchByName(
  text: string,
  known: Namespaces,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const isIri = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const names = await askUtility<string[]>('complete', [[isIri ? 'uri' : 'prefix', text]], signal);
  return names
    .filter((name) => !name.startsWith('fn:'))
    .map((name) => {
      if (!name.includes(':')) return { name: `${name}:` };
      const iri = expanded(name, known) ?? name;
      return { iri, name: shortened(iri, known) };
    });
}

/** Finds resources with the text in a label. Returns nothing where SPARQL is off, or takes too long. */
export async function searchByLabel(
  text: string,
  known: Namespaces,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  if (!hasSparql || text.length < MIN_LABEL_LENGTH || text.includes(':')) return [];
  const query = `SELECT ?resource (SAMPLE(?text) AS ?label) {
  { SELECT DISTINCT ?resource ?text {
    ?resource ${LABELS} ?text
    FILTER(isIRI(?resource) && CONTAINS(LCASE(STR(?text)), ${literal(text.toLowerCase())}))
  } LIMIT ${MAX_BY_LABEL} }
} GROUP BY ?resource`;
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LABEL_TIME)]);
    const { solutions } = await client.sparql.select(query, { signal: limited });
    return solutions.flatMap(({ resource, label }) =>
      resource?.type === 'uri' && label?.type === 'literal'
        ? [{ iri: resource.value, name: shortened(resource.value, known), label: label.value }]
        : [],
    );
  } catch (error) {
    hasSparql = error instanceof DOMException;
    return [];
  }
}

/** Returns the start resource that a text names in full, if it does. */
export function startNamedBy(text: string, known: Namespaces): string | undefined {
  const trimmed = text.trim().replace(/^<(.*)>$/, '$1');
  if (/\s/.test(trimmed) || trimmed === '') return undefined;
  if (/^_:\S+$/.test(trimmed)) return trimmed;
  const iri = expanded(trimmed, known);
  if (iri !== undefined) return trimmed.endsWith(':') ? undefined : iri;
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(trimmed) ? trimmed : undefined;
}

function literal(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, ' ')}"`;
}
