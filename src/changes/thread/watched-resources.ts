import { LDP_GRAPH, LDP_ROW } from '../../ldp/registry.ts';
import { SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { ChangeCount } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';

interface Counter {
  readonly name: string;
  added: number;
  removed: number;
  isChanged: boolean;
}

/**
 * Counts the changed triples of resources of the LDP space: those in their graphs, and those that
 * the server manages. A resource has changed, too, if only its state in the registry has.
 */
export class WatchedResources {
  readonly #counters: ReadonlyMap<string, Counter>;

  /** `resources`: URIs. */
  constructor(resources: readonly string[]) {
    this.#counters = new Map(
      resources.map((name) => [name, { name, added: 0, removed: 0, isChanged: false }]),
    );
  }

  /** Counts the current row, which is in this graph. */
  add(row: RowCursor, graph: string): void {
    const counter = this.#counterOf(row, graph);
    if (!counter) return;
    counter.isChanged = true;
    if (graph === SYSTEM_GRAPH) return;
    if (row.removed) counter.removed++;
    else counter.added++;
  }

  get changed(): ChangeCount[] {
    return [...this.#counters.values()]
      .filter(({ isChanged }) => isChanged)
      .map(({ name, added, removed }) => ({ name, added, removed }));
  }

  #counterOf(row: RowCursor, graph: string): Counter | undefined {
    const isState = graph === SYSTEM_GRAPH && termOf(row, 1) === LDP_ROW;
    if (isState || graph === LDP_GRAPH) return this.#counters.get(termOf(row, 0).slice(1, -1));
    return this.#counters.get(graph);
  }
}
