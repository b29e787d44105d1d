import { type GraphChange, type GraphInfo, type GraphTable, rowBytes } from '../snapshot/graph-table.ts';

/** The table of graphs as the transaction at hand sees it: the published one under what is not published yet. */
export class WorkingGraphs {
  readonly #published: GraphTable;
  readonly #changed = new Map<string, GraphInfo | null>();
  /** By how much the rows of the table grow. */
  #growth = 0;

  constructor(published: GraphTable) {
    this.#published = published;
  }

  get(name: string): GraphInfo | undefined {
    const changed = this.#changed.get(name);
    return changed === undefined ? this.#published.get(name) : (changed ?? undefined);
  }

  /** See `GraphTable`. */
  get rowBytes(): number {
    return this.#published.rowBytes + this.#growth;
  }

  set(name: string, info: GraphInfo | null): void {
    const exists = this.get(name) !== undefined;
    if (exists && info === null) this.#growth -= rowBytes(name);
    if (!exists && info !== null) this.#growth += rowBytes(name);
    this.#changed.set(name, info);
  }

  /** Makes the changes part of the published table, and returns them. */
  publish(): GraphChange[] {
    const changes = [...this.#changed];
    this.#published.apply(changes);
    this.discard();
    return changes;
  }

  discard(): void {
    this.#changed.clear();
    this.#growth = 0;
  }
}
