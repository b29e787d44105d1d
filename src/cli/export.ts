import { AppError } from '../errors.ts';
import { serializeRdf } from '../rdf/formats/serialize-quads.ts';
import { FilteredQuads } from '../rdf/model/filtered-quads.ts';
import { graphNameOf } from '../rdf/model/graph-name.ts';
import type { QuadCursor } from '../rdf/model/quad-cursor.ts';
import type { TermId } from '../rdf/model/term-id.ts';
import type { SnapshotReader } from '../snapshot/read/reader.ts';
import { isServerGraph } from '../store/graphs/protected-graphs.ts';
import { readData } from '../store/recovery/load-data.ts';
import { openIdleDirectory } from './data-directory.ts';

/**
 * `pathpool export`: returns the data of a data directory, or of one graph in it, as N-Quads in
 * chunks of about 64 KiB. The system graphs are left out, because other stores could not use them.
 * Changes nothing. Errors: `data-locked`, `data-damaged`, `not-found`.
 */
export async function exportQuads(
  directory: string,
  graph: string | undefined,
  notice: (message: string) => void,
): Promise<Iterable<Uint8Array>> {
  const { writer, graphs } = await readData(await openIdleDirectory(directory, notice), notice);
  const reader = writer.reader();
  if (graph === undefined) return serializeRdf(userQuads(reader), { mediaType: 'application/n-quads' });
  if (!graphs.get(graph) || isServerGraph(graph)) {
    throw new AppError('not-found', `There is no graph <${graph}> in ${directory}.`);
  }
  const cursor = reader.graphCursor(reader.find(`<${graph}>`));
  return serializeRdf(cursor, { mediaType: 'application/n-quads' });
}

/** Returns all quads except those of the system graphs. */
function userQuads(reader: SnapshotReader): QuadCursor {
  const isHidden = (graph: TermId) => isServerGraph(graphNameOf(reader.text(graph)));
  const hidden = new Set(reader.graphs().filter(isHidden));
  return new FilteredQuads(reader.allQuads(), ({ graph }) => !hidden.has(graph));
}
