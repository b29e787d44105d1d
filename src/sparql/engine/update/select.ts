import { release } from '../../../rdf/oxigraph-terms.ts';
import type { SparqlInstance } from '../../instance.ts';
import type { ModifyOperation } from '../../language/update/operations.ts';
import type { UpdateSettings } from '../../request.ts';
import { type Dataset, datasetOf } from '../dataset.ts';
import { Solutions } from './solutions.ts';

type Options = NonNullable<Parameters<SparqlInstance['store']['query']>[1]>;

/** The variables that templates take from solutions; at least one, for each solution counts. */
export function variablesOf({ removals, additions, where }: ModifyOperation): string[] {
  const names = new Set<string>();
  for (const { subject, predicate, object, graph } of [...removals, ...additions]) {
    for (const term of [subject, predicate, object, graph]) {
      if (term?.kind === 'variable') names.add(term.name);
    }
  }
  return names.size > 0 ? [...names] : [unusedIn(where)];
}

function unusedIn(text: string): string {
  let name = 'none';
  while (text.includes(name)) name += 'e';
  return name;
}

/** The graphs that the pattern of an operation sees. */
export function datasetFor({ using, withGraph }: ModifyOperation, settings: UpdateSettings): Dataset {
  if (using || withGraph === undefined) return datasetOf(using, settings);
  return { default: [withGraph], named: undefined };
}

/** Evaluates the pattern of an operation. `merged`: see `SparqlInstance.isMerged`. Errors: Oxigraph's own. */
export function select(
  { oxigraph, store }: SparqlInstance,
  { prologue, where }: ModifyOperation,
  variables: readonly string[],
  dataset: Dataset,
  merged: boolean,
): Solutions {
  const nodes: unknown[] = [];
  const named = (graphs: readonly string[]) =>
    graphs.map((graph) => {
      const node = oxigraph.namedNode(graph);
      nodes.push(node);
      return node;
    });
  const text = `${prologue}SELECT ${variables.map((name) => `?${name}`).join(' ')} WHERE ${where}`;
  try {
    const options: Options = {
      results_format: 'text/tab-separated-values',
      ...(dataset.named && { named_graphs: named(dataset.named) }),
      ...(dataset.default !== 'union' && { default_graph: named(dataset.default) }),
      ...(dataset.default === 'union' && !merged && { use_default_graph_as_union: true }),
    };
    return new Solutions(String(store.query(text, options)));
  } finally {
    release(...nodes);
  }
}
