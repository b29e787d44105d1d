/** What is known of one named graph without reading its triples. */
export interface GraphInfo {
  /** Triples. */
  readonly size: number;
  /** Sequence number of the last commit that changed the graph; part of its entity tag. */
  readonly sequence: number;
  /** Time of that commit, milliseconds since 1970. */
  readonly modified: number;
}

/** A change to the table: the graph's new row, or null when it is gone. */
export type GraphChange = readonly [name: string, info: GraphInfo | null];

/**
 * The named graphs that exist, empty ones included, by name. The store thread keeps one, the main thread keeps
 * another in step with its newest snapshot: each commit's message carries the rows that it changed.
 */
export class GraphTable {
  readonly #rows = new Map<string, GraphInfo>();
  #sortedNames: readonly string[] | undefined;

  get(name: string): GraphInfo | undefined {
    return this.#rows.get(name);
  }

  get count(): number {
    return this.#rows.size;
  }

  apply(changes: Iterable<GraphChange>): void {
    for (const [name, info] of changes) {
      if (info === null) {
        if (this.#rows.delete(name)) this.#sortedNames = undefined;
      } else {
        if (!this.#rows.has(name)) this.#sortedNames = undefined;
        this.#rows.set(name, info);
      }
    }
  }

  entries(): IterableIterator<[string, GraphInfo]> {
    return this.#rows.entries();
  }

  /** Names in code-point order. Kept until a graph comes or goes. */
  names(): readonly string[] {
    this.#sortedNames ??= [...this.#rows.keys()].sort(compareCodePoints);
    return this.#sortedNames;
  }
}

/** UTF-16 order differs from code-point order only where surrogates meet U+E000 and above. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
