import type { Caller } from '../../base/caller.ts';
import type { Result } from '../../errors.ts';
import type { LdpBody, LdpPurpose } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import { type Import, newImport } from '../../services/tasks/import-tasks.ts';
import { watchClient } from '../../services/tasks/watch-client.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { ldpFailure } from './errors.ts';
import type { ReadyPayload } from './staged-payload.ts';

export interface ReadBody {
  readonly body: LdpBody;
  /** The import task, which continues with the commit. */
  readonly work: Import;
}

/**
 * Parses a document for a resource on a pool thread, against the newest snapshot. Errors: those of
 * `LdpBodyJob`, `cancelled`.
 */
export async function readBody(
  store: Pick<StoreClient, 'snapshot'>,
  pool: Pick<Pool, 'readLdpBody'>,
  uri: string,
  { document, body }: Extract<ReadyPayload, { kind: 'document' }>,
  purpose: LdpPurpose,
  caller: Caller,
): Promise<Result<ReadBody>> {
  const hasLeft = watchClient(caller);
  const { mediaType, gzip, charset } = document;
  const work = newImport(uri, { mediaType, body, baseIri: uri }, caller);
  // Parsing transfers the buffer to the thread, and the body may be needed again.
  const text = { body: body.slice(), mediaType, gzip, ...(charset && { charset }) };
  const { snapshot } = store;
  const read = await pool.readLdpBody({ ...text, target: uri, purpose, snapshot }, work.info, caller);
  if (!read.ok) return read;
  if (hasLeft()) return ldpFailure('cancelled', uri);
  return { ok: true, value: { body: read.value, work } };
}
