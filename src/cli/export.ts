import { AppError } from '../errors.ts';
import { serializeRdf } from '../rdf/formats/serialize-quads.ts';
import { FilteredQuads } from '../rdf/model/filtered-quads.ts';
import { graphNameOf } from '../rdf/model/graph-name.ts';
import type { QuadCursor } from '../rdf/model/quad-cursor.ts';
import type { TermId } from '../rdf/model/term-id.ts';
import { isServerGraph } from '../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../snapshot/read/reader.ts';
import { readData } from '../store/recovery/load-data.ts';
import { openIdleDirectory } from './data-directory.ts';
import { ObservedDisk } from './observed-disk.ts';
import { noDisplay, type WorkDisplay } from './work-display.ts';

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
  if (graph === undefined) {
    const work = { quads: reader.allQuads(), total: reader.quadCount, display };
    return serialized(work, isOfUsers(reader));
  }
  if (!graphs.get(graph) || isServerGraph(graph)) {
    throw new AppError('not-found', `There is no graph <${graph}> in ${directory}.`);
  }
  const id = reader.find(`<${graph}>`);
  const work = { quads: reader.graphCursor(id), total: reader.graphSize(id), display };
  return serialized(work, () => true);
}

interface ExportWork {
  readonly quads: QuadCursor;
  /** The number of quads, with those that are not wanted. */
  readonly total: number;
  readonly display: WorkDisplay;
}

type QuadTest = (quads: QuadCursor) => boolean;

function* serialized({ quads, total, display }: ExportWork, isWanted: QuadTest): Generator<Uint8Array> {
  let done = 0;
  const wanted = new FilteredQuads(quads, (quad) => {
    done++;
    return isWanted(quad);
  });
  for (const chunk of serializeRdf(wanted, { mediaType: 'application/n-quads' })) {
    display.show('writing', done, total);
    yield chunk;
  }
}

/** Returns the test for quads that are not in the system graphs. */
function isOfUsers(reader: SnapshotReader): QuadTest {
  const isHidden = (graph: TermId) => isServerGraph(graphNameOf(reader.text(graph)));
  const hidden = new Set(reader.graphs().filter(isHidden));
  return ({ graph }) => !hidden.has(graph);
}
