import { release } from '../../rdf/oxigraph-terms.ts';
import type { Dataset } from './dataset.ts';
import type { Mirror } from './mirror.ts';

type Store = import('oxigraph').Store;
type Options = NonNullable<Parameters<Store['query']>[1]>;

/** A query as Oxigraph is asked it. */
export interface Question {
  readonly text: string;
  readonly baseIri: string;
  /** Undefined: the text says it. */
  readonly dataset: Dataset | undefined;
  readonly format: string;
}

/** The answer, in the format asked for. Errors: Oxigraph's own. */
export function askOxigraph(mirror: Mirror, store: Store, question: Question): string {
  const { text, baseIri: base_iri, format: results_format, dataset } = question;
  const terms: unknown[] = [];
  const named = (graphs: readonly string[]) =>
    graphs.map((graph) => {
      const node = mirror.oxigraph.namedNode(graph);
      terms.push(node);
      return node;
    });
  try {
    const options: Options = {
      base_iri,
      results_format,
      ...(dataset?.named && { named_graphs: named(dataset.named) }),
      ...(dataset && defaultOptions(mirror, dataset, named)),
    };
    return String(store.query(text, options));
  } finally {
    release(...terms);
  }
}

function defaultOptions(
  mirror: Mirror,
  dataset: Dataset,
  named: (graphs: readonly string[]) => NonNullable<Options['default_graph']>,
): Options {
  if (dataset.default !== 'union') return { default_graph: named(dataset.default) };
  return mirror.isMerged ? {} : { use_default_graph_as_union: true };
}
