import type { Caller } from '../../base/caller.ts';
import type { ErrorData } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { newImport } from '../../services/tasks/import-tasks.ts';
import type { ReadyPayload } from './staged-payload.ts';

/**
 * Returns why a document that will not be stored anyway can't be read; undefined if it can be read,
 * and for bytes.
 */
export async function documentFault(
  pool: Pick<Pool, 'parse'>,
  uri: string,
  ready: ReadyPayload,
  caller: Caller,
): Promise<ErrorData | undefined> {
  if (ready.kind === 'bytes') return undefined;
  const { mediaType, gzip, charset } = ready.document;
  // Parsing transfers the buffer to the thread, and the body may be needed again.
  const payload = { body: ready.body.slice(), mediaType, gzip, baseIri: uri, ...(charset && { charset }) };
  const parsed = await pool.parse(payload, newImport(uri, payload, caller).info, caller);
  return parsed.ok ? undefined : parsed.error;
}
