import type { LdpBody, LdpBodyJob } from '../src/pool/messages.ts';
import { readBody } from '../src/services/ldp/body.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import type { CurrentStep } from './current-step.ts';
import { parseDocument } from './parse.ts';

/** Reads the body of a job, and checks it against the rules of the LDP space. */
export function readLdpBody(
  job: LdpBodyJob,
  reader: SnapshotReader,
  step: CurrentStep,
  limitMs: number,
): LdpBody {
  const { target, purpose } = job;
  const block = parseDocument({ ...job, kind: 'parse', baseIri: target }, step, limitMs);
  return readBody(reader, target, purpose, block);
}
