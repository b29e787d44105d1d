import { compareCodePoints } from '../graph/code-points.ts';

/** What is known of one named graph without reading its triples. */
export interface GraphInfo {
  /** Triples. */
  readonly size: number;
  /** Sequence number of the last commit that changed the graph; part of its entity tag. */
  readonly sequence: number;
  /** Time of that commit, milliseconds since 1970. */
  readonly modified: number;
  /**
   * Number of the commit that made the graph, or that last took triples from it otherwise than by the name of a resource; 0 where
   * that is not known. Part of the entity tags of what it describes.
   */
  readonly since: number;
}

/** A change to the table: the graph's new row, or null when it is gone. */
export type GraphChange = readonly [name: string, info: GraphInfo | null];

/** Bytes of a row beside the graph's name: numbers, quotes and commas. */
const ROW_BYTES = 80;

/** An upper bound for the bytes of a graph's row in the manifest of a checkpoint. */
export function rowBytes(name: string): number {
  return Buffer.byteLength(name) + ROW_BYTES;
}

/**
 * The named graphs that exist, empty ones included, by name. The store thread keeps one, the main thread keeps
 * another in step with its newest snapshot: each commit's message carries the rows that it changed.
 */
export class GraphTable {
  readonly #rows = new Map<string, GraphInfo>();
  #sortedNames: readonly string[] = [];
  /** Names that came or went since those were sorted. */
  readonly #unsorted = new Set<string>();
  #rowBytes = 0;

  get(name: string): GraphInfo | undefined {
    return this.#rows.get(name);
  }

  get count(): number {
    return this.#rows.size;
  }

  /** An upper bound for the bytes of all rows in the manifest of a checkpoint. */
  get rowBytes(): number {
    return this.#rowBytes;
  }

  apply(changes: Iterable<GraphChange>): void {
    for (const [name, info] of changes) {
      if ((info === null) === this.#rows.has(name)) {
        this.#unsorted.add(name);
        this.#rowBytes += info === null ? -rowBytes(name) : rowBytes(name);
      }
      if (info === null) this.#rows.delete(name);
      else this.#rows.set(name, info);
    }
  }

  entries(): IterableIterator<[string, GraphInfo]> {
    return this.#rows.entries();
  }

  /** Names in code-point order. Only those that came since the last time are sorted, and merged with the others. */
  names(): readonly string[] {
    if (this.#unsorted.size > 0) {
      const came = [...this.#unsorted].filter((name) => this.#rows.has(name)).sort(compareCodePoints);
      const stayed = this.#sortedNames.filter((name) => !this.#unsorted.has(name));
      this.#sortedNames = merge(stayed, came);
      this.#unsorted.clear();
    }
    return this.#sortedNames;
  }
}

/** Both are sorted, and have no name in common. Where each of the `few` goes is found by bisection. */
function merge(many: readonly string[], few: readonly string[]): readonly string[] {
  if (few.length === 0) return many;
  const merged: string[] = [];
  let from = 0;
  for (const name of few) {
    const to = placeOf(name, many, from);
    for (; from < to; from++) merged.push(many[from]!);
    merged.push(name);
  }
  for (; from < many.length; from++) merged.push(many[from]!);
  return merged;
}

/** The index, `from` or higher, of the first name that is not below it. */
function placeOf(name: string, names: readonly string[], from: number): number {
  let low = from;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(names[middle]!, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
