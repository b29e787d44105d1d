import type { GraphChange, GraphInfo, GraphTable } from '../snapshot/graph-table.ts';

/** The table of graphs as the transaction at hand sees it: the published one under what is not published yet. */
export class WorkingGraphs {
  readonly #published: GraphTable;
  readonly #changed = new Map<string, GraphInfo | null>();

  constructor(published: GraphTable) {
    this.#published = published;
  }

  get(name: string): GraphInfo | undefined {
    const changed = this.#changed.get(name);
    return changed === undefined ? this.#published.get(name) : (changed ?? undefined);
  }

  set(name: string, info: GraphInfo | null): void {
    this.#changed.set(name, info);
  }

  /** Makes the changes part of the published table, and returns them. */
  publish(): GraphChange[] {
    const changes = [...this.#changed];
    this.#published.apply(changes);
    this.#changed.clear();
    return changes;
  }

  discard(): void {
    this.#changed.clear();
  }
}
