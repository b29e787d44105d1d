import { readBody } from '../../ldp/pool/body.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { LdpBody, LdpBodyJob } from '../messages.ts';
import type { CurrentStep } from './current-step.ts';
import { type ParseSetup, parseDocument } from './documents/parse-job.ts';

/** Reads the body of a job, and checks it against the rules of the LDP space. */
export function readLdpBody(
  job: LdpBodyJob,
  reader: SnapshotReader,
  step: CurrentStep,
  setup: ParseSetup,
): LdpBody {
  const { target, purpose } = job;
  const block = parseDocument({ ...job, baseIri: target }, step, setup);
  return readBody(reader, job, purpose, block);
}
