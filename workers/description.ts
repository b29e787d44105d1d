import type { Description, DescriptionJob } from '../src/pool/messages.ts';
import { DescriptionCursor } from '../src/snapshot/description.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { readDescriptionState } from '../src/store/description-state.ts';
import { shortDocument } from './serialize.ts';

/** What the visible graphs say of a node; of one that the snapshot does not know, nothing. */
export function readDescription({ node, mediaType }: DescriptionJob, reader: SnapshotReader): Description {
  const id = reader.find(node);
  return {
    ...readDescriptionState(reader, id),
    document: mediaType === undefined ? null : shortDocument(new DescriptionCursor(reader, id), mediaType),
  };
}
