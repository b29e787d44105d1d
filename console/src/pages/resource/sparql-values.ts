/** Properties of resources with more values than the server allows in one evaluation of LDPath. */
import type { NodeObject, SparqlTerm } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import type { Direction } from './direction.ts';

interface Slice {
  readonly direction: Direction;
  readonly property: string;
  readonly from: number;
  readonly count: number;
}

/** Returns the number of values of each property. `uri`: of a resource that exists. */
export async function countsOf(
  uri: string,
  direction: Direction,
  signal: AbortSignal,
): Promise<{ readonly property: string; readonly count: number }[]> {
  const pattern = direction === 'out' ? `<${uri}> ?property ?value` : `?value ?property <${uri}>`;
  const query = `SELECT ?property (COUNT(*) AS ?count) { ${pattern} } GROUP BY ?property ORDER BY ?property`;
  const { solutions } = await client.sparql.select(query, { signal });
  return solutions.flatMap(({ property, count }) =>
    property?.type === 'uri' ? [{ property: property.value, count: Number(count?.value) }] : [],
  );
}

/** Returns some values, without blank nodes, which have other names in SPARQL. */
export async function valuesOf(uri: string, slice: Slice, signal?: AbortSignal): Promise<NodeObject[]> {
  const { direction, property, from, count } = slice;
  const pattern = direction === 'out' ? `<${uri}> <${property}> ?value` : `?value <${property}> <${uri}>`;
  const query = `SELECT ?value { ${pattern} FILTER(!isBlank(?value)) } OFFSET ${from} LIMIT ${count}`;
  const { solutions } = await client.sparql.select(query, { signal });
  return solutions.flatMap(({ value }) => (value ? nodeIn(value) : []));
}

function nodeIn(term: SparqlTerm): NodeObject[] {
  if (term.type === 'uri') return [{ type: 'uri', value: term.value }];
  if (term.type !== 'literal') return [];
  const { value, 'xml:lang': lang, datatype } = term;
  return [{ type: 'literal', value, ...(lang !== undefined && { lang }), ...(datatype && { datatype }) }];
}
