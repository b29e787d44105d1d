import { client } from '../app/client.ts';

/** Properties whose values name a resource, the best first. */
const PROPERTIES = [
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://schema.org/name',
  'https://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
];

/** Maximum number of start resources in one request. */
const CHUNK = 1000;

/** A path to all labels of a resource. */
export const anyLabel = `(${PROPERTIES.map((property) => `<${property}>`).join(' | ')})`;

/** A path to the best label of a resource: in the user's language, in English, without, in any. */
export const bestLabel = `fn:slice(fn:first(${PROPERTIES.flatMap(inLanguages).join(', ')}), 0, 1)`;

function inLanguages(property: string): string[] {
  const own = /^[a-z]{2,3}/.exec(navigator.language)?.[0] ?? 'en';
  const tests = new Set([`[@${own}*]`, '[@en*]', '[@none]', '']);
  return [...tests].map((test) => `<${property}>${test}`);
}

/** Returns the labels of those resources that have one. Blank nodes are written `_:id`. */
export async function labelsOf(
  uris: Iterable<string>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  const rest = [...new Set(uris)];
  while (rest.length > 0) {
    const options = { uris: rest.splice(0, CHUNK), missing: 'empty', signal } as const;
    for await (const { uri, result } of client.ldpath.batchOfPath(bestLabel, options)) {
      const label = result?.[0]?.value;
      if (label !== undefined) labels.set(uri, label);
    }
  }
  return labels;
}
