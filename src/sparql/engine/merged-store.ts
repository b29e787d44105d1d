import { AppError } from '../../errors.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { release } from '../../rdf/oxigraph/terms.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import { type FillingSource, fillStore } from './fill.ts';

type Store = import('oxigraph').Store;

/** The most quads that may be merged. */
export const MAX_MERGED_QUADS = 2_000_000;

/** The quads of a graph. */
export interface GraphQuads {
  readonly count: number;
  readonly quads: QuadCursor;
}

/** The graphs that a query, or an operation of an update, sees. */
export interface GraphSource extends FillingSource {
  graph(name: string): GraphQuads;
}

/**
 * Returns a store with certain graphs only. Its default graph is the merge of several graphs, with
 * each triple once: Oxigraph does not remove duplicates from graphs that share triples. The
 * server's own graphs can't be named. Error `budget-exceeded`.
 */
export function mergedStore(source: GraphSource, merged: readonly string[], named: readonly string[]): Store {
  const { oxigraph } = source;
  const quadsOf = limited(source);
  const [all, each] = [quadsOf(merged), quadsOf(named)];
  const store = new oxigraph.Store();
  const filling = { ...source, store, unnamed: NO_TERM, onProgress: () => {} };
  try {
    for (const quads of all) fillStore({ ...filling, merges: true }, quads);
    for (const quads of each) fillStore({ ...filling, merges: false }, quads);
  } catch (error) {
    release(store);
    throw error;
  }
  return store;
}

/** Returns the quads of graphs, and throws if there are too many. */
function limited(source: GraphSource): (names: readonly string[]) => QuadCursor[] {
  let left = MAX_MERGED_QUADS;
  const quadsOf = (name: string) => {
    const { count, quads } = source.graph(name);
    left -= count;
    if (left < 0) throw tooMuch();
    return quads;
  };
  return (names) => names.filter((name) => !isServerGraph(name)).map(quadsOf);
}

function tooMuch(): AppError {
  const message = `Some triples are in several graphs. Named graphs can be merged only if they have at most ${MAX_MERGED_QUADS} triples together.`;
  return new AppError('budget-exceeded', message);
}
