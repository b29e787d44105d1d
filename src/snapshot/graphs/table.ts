import { compareCodePoints } from '../../rdf/model/code-points.ts';
import { SortedNames } from './sorted-names.ts';

/** The facts about a named graph that are known without reading its triples. */
export interface GraphInfo {
  /** Number of triples. */
  readonly size: number;
  /** Sequence number of the last commit that changed the graph; part of its entity tag. */
  readonly sequence: number;
  /** Time of that commit, in milliseconds since 1970. */
  readonly modified: number;
  /**
   * Number of the commit that created the graph, or that last removed triples from it other than by
   * the name of a resource; 0 if it is unknown. Part of the entity tags of the resources that it
   * describes.
   */
  readonly since: number;
}

/** A change to the table: the graph's new row, or null if it no longer exists. */
export type GraphChange = readonly [name: string, info: GraphInfo | null];

/** Bytes of a row besides the graph's name: numbers, quotes and commas. */
const ROW_BYTES = 80;

/** Returns an upper bound for the bytes of a graph's row in the manifest of a checkpoint. */
export function rowBytes(name: string): number {
  return Buffer.byteLength(name) + ROW_BYTES;
}

/**
 * The existing named graphs by name, including empty ones. The store thread has one table. The main
 * thread keeps another in step with its newest snapshot: each commit's message contains the rows
 * that it changed.
 */
export class GraphTable {
  readonly #rows = new Map<string, GraphInfo>();
  readonly #empty = new Set<string>();
  #rowBytes = 0;
  #listing: Listing | undefined;

  get(name: string): GraphInfo | undefined {
    return this.#rows.get(name);
  }

  get count(): number {
    return this.#rows.size;
  }

  /** The graphs that exist and have no triples. */
  get empty(): ReadonlySet<string> {
    return this.#empty;
  }

  /** An upper bound for the bytes of all rows in the manifest of a checkpoint. */
  get rowBytes(): number {
    return this.#rowBytes;
  }

  apply(changes: Iterable<GraphChange>): void {
    for (const [name, info] of changes) {
      if ((info === null) === this.#rows.has(name)) {
        this.#list(name, info !== null);
        this.#rowBytes += info === null ? -rowBytes(name) : rowBytes(name);
      }
      if (info?.size === 0) this.#empty.add(name);
      else this.#empty.delete(name);
      if (info === null) this.#rows.delete(name);
      else this.#rows.set(name, info);
    }
  }

  entries(): IterableIterator<[string, GraphInfo]> {
    return this.#rows.entries();
  }

  /** Returns the names in code-point order. Sorts them all. */
  names(): string[] {
    return [...this.#rows.keys()].sort(compareCodePoints);
  }

  /**
   * From now on maintains a sorted list of names: that of a graph which always exists, and those of
   * the others that are not hidden.
   */
  keepListing(always: string, isHidden: (name: string) => boolean): SortedNames {
    const visible = [...this.#rows.keys()].filter((name) => name !== always && !isHidden(name));
    const names = new SortedNames([always, ...visible]);
    this.#listing = { names, isStable: (name) => name === always || isHidden(name) };
    return names;
  }

  #list(name: string, exists: boolean): void {
    if (!this.#listing || this.#listing.isStable(name)) return;
    if (exists) this.#listing.names.add(name);
    else this.#listing.names.delete(name);
  }
}

interface Listing {
  readonly names: SortedNames;
  /** Whether changes of the table never affect the listing of the name. */
  readonly isStable: (name: string) => boolean;
}
