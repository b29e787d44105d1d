import { openIdleDirectory } from './data-directory.ts';
import { AppError } from './errors.ts';
import type { QuadCursor } from './graph/quad-cursor.ts';
import type { TermId } from './graph/term-id.ts';
import { serializeRdf } from './rdf/serialize.ts';
import type { SnapshotReader } from './snapshot/reader.ts';
import { readData } from './store/load-data.ts';
import { isServerGraph } from './store/protected-graphs.ts';

/**
 * `pathpool export`: what a data directory holds, or one graph of it, as N-Quads in pieces of about 64 KiB; but for the
 * server's own graphs, which no other store could take. Changes nothing. Errors: `data-locked`, `data-damaged`,
 * `not-found`.
 */
export async function exportQuads(
  directory: string,
  graph: string | undefined,
  notice: (message: string) => void,
): Promise<Iterable<Uint8Array>> {
  const { writer, graphs } = await readData(await openIdleDirectory(directory), undefined, notice);
  const reader = writer.reader();
  if (graph === undefined) return serializeRdf(new UserQuads(reader), { mediaType: 'application/n-quads' });
  if (!graphs.get(graph) || isServerGraph(graph)) {
    throw new AppError('not-found', `There is no graph <${graph}> in ${directory}.`);
  }
  const cursor = reader.graphCursor(reader.find(`<${graph}>`));
  return serializeRdf(cursor, { mediaType: 'application/n-quads' });
}

/** All quads but those of the server's graphs. */
class UserQuads implements QuadCursor {
  readonly terms: SnapshotReader['terms'];
  readonly #quads: QuadCursor;
  readonly #hidden: ReadonlySet<TermId>;

  constructor(reader: SnapshotReader) {
    this.terms = reader.terms;
    this.#quads = reader.allQuads();
    const names = reader.graphs().map((graph) => [graph, reader.text(graph).slice(1, -1)] as const);
    this.#hidden = new Set(names.filter(([, name]) => isServerGraph(name)).map(([graph]) => graph));
  }

  get subject(): TermId {
    return this.#quads.subject;
  }

  get predicate(): TermId {
    return this.#quads.predicate;
  }

  get object(): TermId {
    return this.#quads.object;
  }

  get graph(): TermId {
    return this.#quads.graph;
  }

  next(): boolean {
    while (this.#quads.next()) if (!this.#hidden.has(this.#quads.graph)) return true;
    return false;
  }
}
