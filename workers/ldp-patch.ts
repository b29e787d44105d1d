import type { LdpPatch, LdpPatchJob } from '../src/pool/messages.ts';
import { readPatch } from '../src/services/ldp/patch.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { decodedBody } from './parse.ts';

/** Computes the changes of a patch; returns null if `brief` is set and the work would take long. */
export function readLdpPatch(job: LdpPatchJob, reader: SnapshotReader): LdpPatch | null {
  const { target, mediaType, brief } = job;
  return readPatch(reader, target, { mediaType, body: decodedBody(job) }, brief);
}
