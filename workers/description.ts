import type { Description, DescriptionJob } from '../src/pool/messages.ts';
import { DescriptionCursor } from '../src/snapshot/description.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { readDescriptionState } from '../src/store/description-state.ts';
import { shortDocument } from './serialize.ts';

/**
 * Reads the description of a node from the visible graphs; empty if the snapshot does not know the
 * node.
 */
export function readDescription({ node, mediaType }: DescriptionJob, reader: SnapshotReader): Description {
  const id = reader.find(node);
  return {
    ...readDescriptionState(reader, id),
    document: mediaType === undefined ? null : shortDocument(new DescriptionCursor(reader, id), mediaType),
  };
}
