import type { TermId } from '../graph/term-id.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';

/** The graphs whose names lie in a space of names: those that only the space's own interface may change. */
export class ProtectedGraphs {
  readonly #reader: SnapshotReader;
  readonly #space: string;
  readonly #known = new Map<TermId, boolean>();

  /** `space`: without a slash at its end. */
  constructor(reader: SnapshotReader, space: string) {
    this.#reader = reader;
    this.#space = space;
  }

  has(graph: TermId): boolean {
    const known = this.#known.get(graph);
    if (known !== undefined) return known;
    const found = isWithin(this.#reader.text(graph).slice(1, -1), this.#space);
    this.#known.set(graph, found);
    return found;
  }
}

/** Whether a URI is a space of names or lies below it. */
export function isWithin(uri: string, space: string): boolean {
  return uri.startsWith(space) && (uri.length === space.length || uri[space.length] === '/');
}
