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
import { ObservedDisk } from './observed-disk.ts';
import { noDisplay, type WorkDisplay } from './work-bar.ts';

/**
 * `pathpool export`: returns the data of a data directory, or of one graph in it, as N-Quads in
 * chunks of about 64 KiB. The system graphs are left out, because other stores could not use them.
 * Changes nothing. `display` receives the progress. Errors: `data-locked`, `data-damaged`,
 * `not-found`.
 */
export async function exportQuads(
  directory: string,
  graph: string | undefined,
  notice: (message: string) => void,
  display: WorkDisplay = noDisplay,
): Promise<Iterable<Uint8Array>> {
  const disk = new ObservedDisk(await openIdleDirectory(directory, notice), display);
  const { writer, graphs } = await readData(disk, notice);
  const reader = writer.reader();
  if (graph === undefined) return serialized(userQuads(reader), reader.quadCount, display);
  if (!graphs.get(graph) || isServerGraph(graph)) {
    throw new AppError('not-found', `There is no graph <${graph}> in ${directory}.`);
  }
  const id = reader.find(`<${graph}>`);
  return serialized(reader.graphCursor(id), reader.graphSize(id), display);
}

/** `total`: the number of quads, or a few more. */
function* serialized(quads: QuadCursor, total: number, display: WorkDisplay): Generator<Uint8Array> {
  let done = 0;
  const counted = new FilteredQuads(quads, () => {
    done++;
    return true;
  });
  for (const chunk of serializeRdf(counted, { mediaType: 'application/n-quads' })) {
    display.show('writing', done, total);
    yield chunk;
  }
}

/** Returns all quads except those of the system graphs. */
function userQuads(reader: SnapshotReader): QuadCursor {
  const isHidden = (graph: TermId) => isServerGraph(graphNameOf(reader.text(graph)));
  const hidden = new Set(reader.graphs().filter(isHidden));
  return new FilteredQuads(reader.allQuads(), ({ graph }) => !hidden.has(graph));
}
