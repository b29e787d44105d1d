import { readPatch } from '../../ldp/pool/patch.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { LdpPatch, LdpPatchJob } from '../messages.ts';
import { decodedBody } from './documents/parse-job.ts';

/** Computes the changes of a patch; returns null if `brief` is set and the work would take long. */
export function readLdpPatch(job: LdpPatchJob, reader: SnapshotReader): LdpPatch | null {
  const { mediaType, brief } = job;
  return readPatch(reader, job, { mediaType, body: decodedBody(job) }, brief);
}
