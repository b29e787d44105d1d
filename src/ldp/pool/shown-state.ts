import type { LdpStateJob } from '../../pool/messages.ts';
import { tripleDigest } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { RepresentationCursor } from './representation.ts';

const everything = { minimal: true, containment: true, membership: true };

/** Returns a digest of the triples that a client sees of an RDF source. */
export function shownDigest({ target, visible }: LdpStateJob, reader: SnapshotReader): string {
  const cursor = new RepresentationCursor(reader, { ldp: target, parts: everything }, visible);
  return tripleDigest(cursor, (term) => reader.text(term));
}
