import type { PrefixTable } from '../../rdf/formats/prefix-table.ts';
import { DescriptionCursor } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { readDescriptionState } from '../../store/registry/description-state.ts';
import type { Description, DescriptionJob } from '../messages.ts';
import { shortDocument } from './serialize-job.ts';

/**
 * Reads the description of a node from the visible graphs; empty if the snapshot does not know the
 * node. `shared`: the prefixes of its document.
 */
export function readDescription(
  { node, mediaType, visible }: DescriptionJob,
  reader: SnapshotReader,
  shared: PrefixTable,
): Description {
  const id = reader.find(node);
  const cursor = new DescriptionCursor(reader.visibleTo(visible), id);
  return {
    ...readDescriptionState(reader, id, visible),
    document: mediaType === undefined ? null : shortDocument(cursor, { mediaType, shared }),
  };
}
