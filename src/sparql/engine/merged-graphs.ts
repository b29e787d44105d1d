import { AppError } from '../../errors.ts';
import { NO_TERM, type TermId } from '../../graph/term-id.ts';
import { release } from '../../rdf/oxigraph-terms.ts';
import { isServerGraph } from '../../store/protected-graphs.ts';
import type { Dataset } from './dataset.ts';
import { fillStore } from './fill.ts';
import type { Mirror } from './mirror.ts';

type Store = import('oxigraph').Store;

/** Quads that may be put together for a query. */
const MAX_QUADS = 2_000_000;

interface Merge {
  readonly key: string;
  readonly store: Store;
}

/** A store with the merge of some graphs, each triple once; kept until the data change. */
export class MergedGraphs {
  readonly #mirror: Mirror;
  #last: Merge | undefined;

  constructor(mirror: Mirror) {
    this.#mirror = mirror;
  }

  /**
   * A store whose default graph is the merge of the default graphs, and which has the named graphs.
   * Undefined when there is no need of it. Error `budget-exceeded`.
   */
  for({ default: merged, named = [] }: Dataset): Store | undefined {
    if (merged === 'union' || merged.length < 2 || !this.#mirror.isMerged) return undefined;
    const key = JSON.stringify([this.#mirror.sequence, merged, named]);
    if (this.#last?.key !== key) this.#last = { key, store: this.#make(merged, named) };
    return this.#last.store;
  }

  #make(merged: readonly string[], named: readonly string[]): Store {
    this.forget();
    const { reader, oxigraph, unnamedGraph } = this.#mirror;
    const canBeNamed = (graph: string) => graph !== unnamedGraph && !isServerGraph(graph);
    const idsOf = (graphs: readonly string[]) =>
      graphs.filter(canBeNamed).map((graph) => reader.find(`<${graph}>`));
    const ids = [...idsOf(merged), ...idsOf(named)];
    if (ids.reduce((sum, id) => sum + reader.graphSize(id), 0) > MAX_QUADS) throw tooMuch();
    const store = new oxigraph.Store();
    const fill = (graph: TermId, merges: boolean) => {
      const filling = { oxigraph, store, reader, unnamed: NO_TERM, merges, onProgress: () => {} };
      fillStore(filling, reader.graphCursor(graph));
    };
    try {
      for (const graph of idsOf(merged)) fill(graph, true);
      for (const graph of idsOf(named)) fill(graph, false);
    } catch (error) {
      release(store);
      throw error;
    }
    return store;
  }

  /** Releases what is kept. */
  forget(): void {
    if (this.#last) release(this.#last.store);
    this.#last = undefined;
  }
}

function tooMuch(): AppError {
  const message = `Some triples are in several graphs. To merge the graphs that the query names, they may have ${MAX_QUADS} triples together.`;
  return new AppError('budget-exceeded', message);
}
