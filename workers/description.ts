import type { Description, DescriptionJob } from '../src/pool/messages.ts';
import { DescriptionCursor, descriptionState } from '../src/snapshot/description.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { shortDocument } from './serialize.ts';

/** What the visible graphs say of a node; of one that the snapshot does not know, nothing. */
export function readDescription({ node, mediaType }: DescriptionJob, reader: SnapshotReader): Description {
  const id = reader.find(node);
  const cursor = new DescriptionCursor(reader, id);
  const state = descriptionState(cursor, (term) => reader.text(term));
  return {
    state,
    graphs: [...cursor.graphs].map((graph) => reader.text(graph).slice(1, -1)),
    document: mediaType === undefined ? null : shortDocument(new DescriptionCursor(reader, id), mediaType),
  };
}
