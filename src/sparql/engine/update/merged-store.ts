import { AppError } from '../../../errors.ts';
import { addQuad, release } from '../../../rdf/oxigraph-terms.ts';
import { OverlayTerms } from '../../../snapshot/overlay-dictionary.ts';
import { isServerGraph } from '../../../store/protected-graphs.ts';
import type { UpdatedData } from '../../effects/updated-data.ts';
import type { SparqlInstance } from '../../instance.ts';
import type { Dataset } from '../dataset.ts';

/** Quads that may be put together for a pattern. */
const MAX_QUADS = 500_000;

/**
 * Runs something with a store that has nothing but the graphs of a data set: the merge of its
 * default graphs, each triple once, which Oxigraph does not make of several graphs that have
 * triples in common. Error `budget-exceeded`.
 */
export function withMergedStore<T>(
  { oxigraph }: Pick<SparqlInstance, 'oxigraph'>,
  data: UpdatedData,
  { default: merged, named = [] }: Dataset,
  use: (store: SparqlInstance['store']) => T,
): T {
  const terms = new OverlayTerms(data.reader.terms, data.terms.added());
  const store = new oxigraph.Store();
  let left = MAX_QUADS;
  const fill = (graph: string, place: readonly string[]) => {
    if (isServerGraph(graph)) return;
    const rows = data.quadsOf(data.graphId(graph));
    left -= rows.length / 4;
    if (left < 0) throw tooMuch();
    for (let at = 0; at < rows.length; at += 4) {
      const triple = [rows[at]!, rows[at + 1]!, rows[at + 2]!].map((id) => terms.text(id));
      addQuad(oxigraph, store, [...triple, ...place]);
    }
  };
  try {
    for (const graph of merged) fill(graph, []);
    for (const graph of named) fill(graph, [`<${graph}>`]);
    return use(store);
  } finally {
    release(store);
  }
}

function tooMuch(): AppError {
  const message = `Some triples are in several graphs. To merge the graphs that USING names, they may have ${MAX_QUADS} triples together.`;
  return new AppError('budget-exceeded', message);
}
