import { failure, type Result } from '../../../errors.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import type { SparqlDataset } from '../../../sparql/request.ts';
import { badIri } from '../../iri-parameter.ts';
import type { Query } from '../../query.ts';
import type { SparqlOperation } from './protocol-operation.ts';

const namesOf = {
  query: ['default-graph-uri', 'named-graph-uri'],
  update: ['using-graph-uri', 'using-named-graph-uri'],
} as const;

/**
 * Returns the graphs that the parameters name, or undefined if they name none. Errors: `bad-iri`,
 * `bad-query`.
 */
export function datasetOf({ kind, parameters }: SparqlOperation): Result<SparqlDataset | undefined> {
  const others = namesOf[kind === 'query' ? 'update' : 'query'];
  const wrong = others.find((name) => parameters.has(name));
  if (wrong !== undefined) return failure('bad-query', `The parameter '${wrong}' is not for a ${kind}.`);
  const [defaultName, namedName] = namesOf[kind];
  const defaultGraphs = graphs(parameters, defaultName);
  if (!defaultGraphs.ok) return defaultGraphs;
  const namedGraphs = graphs(parameters, namedName);
  if (!namedGraphs.ok) return namedGraphs;
  if (defaultGraphs.value.length + namedGraphs.value.length === 0) return { ok: true, value: undefined };
  return { ok: true, value: { defaultGraphs: defaultGraphs.value, namedGraphs: namedGraphs.value } };
}

function graphs(parameters: Query, name: string): Result<string[]> {
  // A blank value is an error as well: ignoring it would select other graphs.
  const values = [...new Set(parameters.values(name))];
  const wrong = values.find((value) => !isIri(value));
  return wrong === undefined ? { ok: true, value: values } : badIri(name, wrong);
}
