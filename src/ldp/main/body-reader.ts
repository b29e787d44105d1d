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
  /** The import, which goes on with the commit. */
  readonly work: Import;
}

/** Has a thread read a document for a resource, on the newest snapshot. Errors: those of `LdpBodyJob`, `cancelled`. */
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
  // The body may be needed again, and what is read is moved to the thread.
  const text = { body: body.slice(), mediaType, gzip, ...(charset && { charset }) };
  const { snapshot } = store;
  const read = await pool.readLdpBody({ ...text, target: uri, purpose, snapshot }, work.info, caller);
  if (!read.ok) return read;
  if (hasLeft()) return ldpFailure('cancelled', uri);
  return { ok: true, value: { body: read.value, work } };
}
