import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { release } from '../../rdf/oxigraph/terms.ts';
import type { Dataset } from '../engine/dataset.ts';
import { type GraphQuads, type GraphSource, mergedStore } from '../engine/merged-store.ts';
import type { Mirror } from './mirror.ts';

type Store = import('oxigraph').Store;

interface Merge {
  readonly key: string;
  readonly store: Store;
}

/**
 * A store with the merge of some graphs, without duplicates. It is cached until the data change.
 */
export class MergedGraphs {
  readonly #mirror: Mirror;
  #last: Merge | undefined;

  constructor(mirror: Mirror) {
    this.#mirror = mirror;
  }

  /**
   * Returns a store whose default graph is the merge of the default graphs, and which has the named
   * graphs. Undefined if no such store is needed. Error `budget-exceeded`.
   */
  for({ default: merged, named = [] }: Dataset): Store | undefined {
    if (merged === 'union' || merged.length < 2 || !this.#mirror.isMerged) return undefined;
    const key = JSON.stringify([this.#mirror.sequence, merged, named]);
    if (this.#last?.key !== key) {
      this.forget();
      this.#last = { key, store: mergedStore(graphsOf(this.#mirror), merged, named) };
    }
    return this.#last.store;
  }

  /** Releases the cached store. */
  forget(): void {
    if (this.#last) release(this.#last.store);
    this.#last = undefined;
  }
}

function graphsOf({ oxigraph, reader, unnamedGraph }: Mirror): GraphSource {
  const graph = (name: string): GraphQuads => {
    const id = name === unnamedGraph ? NO_TERM : reader.find(`<${name}>`);
    return { count: reader.graphSize(id), quads: reader.graphCursor(id) };
  };
  return { oxigraph, reader, text: (id: TermId) => reader.text(id), graph };
}
