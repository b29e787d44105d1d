import { type GraphChange, type GraphInfo, type GraphTable, rowBytes } from '../../snapshot/graphs/table.ts';
import { hasBase } from '../registry/base-names.ts';

/**
 * The table of graphs as the current transaction sees it: the published table with the unpublished
 * changes on top.
 */
export class WorkingGraphs {
  readonly #published: GraphTable;
  readonly #changed = new Map<string, GraphInfo | null>();
  /**
   * The graphs that were removed and then created again: they come last in the order of graphs, as
   * if the removal had been published.
   */
  readonly #recreated = new Set<string>();
  /** Bytes by which the rows of the table grow. */
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

  /** Returns the names of all existing graphs. */
  names(): string[] {
    const names = new Set(Array.from(this.#published.entries(), ([name]) => name));
    for (const [name, info] of this.#changed) {
      if (info === null) names.delete(name);
      else names.add(name);
    }
    return [...names];
  }

  /** Yields the rows of all existing graphs. */
  *entries(): Generator<[string, GraphInfo]> {
    for (const row of this.#published.entries()) if (!this.#changed.has(row[0])) yield row;
    for (const [name, info] of this.#changed) if (info) yield [name, info];
  }

  set(name: string, info: GraphInfo | null): void {
    const exists = this.get(name) !== undefined;
    if (exists && info === null) this.#growth -= rowBytes(name);
    if (!exists && info !== null) this.#growth += rowBytes(name);
    if (info !== null && this.#changed.get(name) === null) {
      this.#changed.delete(name);
      this.#recreated.add(name);
    }
    this.#changed.set(name, info);
  }

  /** Makes the changes part of the published table, and returns them. */
  publish(): GraphChange[] {
    const removals = Array.from(this.#recreated, (name) => [name, null] as const);
    const changes = [...removals, ...this.#changed];
    this.#published.apply(changes);
    this.discard();
    return changes;
  }

  discard(): void {
    this.#changed.clear();
    this.#recreated.clear();
    this.#growth = 0;
  }
}

/** Returns the graphs whose names start with a base, with their names under another base. */
export function renamedGraphs(
  graphs: WorkingGraphs,
  from: string,
  to: string,
): (readonly [name: string, renamed: string])[] {
  const concerned = graphs.names().filter((name) => hasBase(name, from));
  return concerned.map((name) => [name, to + name.slice(from.length)]);
}
