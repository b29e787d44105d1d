import { openIdleDirectory } from './data-directory.ts';
import { AppError } from './errors.ts';
import { serializeRdf } from './rdf/serialize.ts';
import { readData } from './store/load-data.ts';

/**
 * `pathpool export`: what a data directory holds, or one graph of it, as N-Quads in pieces of about 64 KiB. Changes
 * nothing. Errors: `data-locked`, `data-damaged`, `not-found`.
 */
export async function exportQuads(
  directory: string,
  graph: string | undefined,
  notice: (message: string) => void,
): Promise<Iterable<Uint8Array>> {
  const { writer, graphs } = await readData(await openIdleDirectory(directory), undefined, notice);
  const reader = writer.reader();
  if (graph === undefined) return serializeRdf(reader.allQuads(), { mediaType: 'application/n-quads' });
  if (!graphs.get(graph)) throw new AppError('not-found', `There is no graph <${graph}> in ${directory}.`);
  const cursor = reader.graphCursor(reader.find(`<${graph}>`));
  return serializeRdf(cursor, { mediaType: 'application/n-quads' });
}
