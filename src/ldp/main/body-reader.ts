import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import type { ErrorData, Result } from '../../errors.ts';
import type { LdpBody, LdpPurpose } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import { type Import, newImport } from '../../services/tasks/import-tasks.ts';
import { watchClient } from '../../services/tasks/watch-client.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { ldpFailure } from './errors.ts';
import type { ReadyDocument } from './staged-payload.ts';

export interface ReadBody {
  readonly body: LdpBody;
  /** The import task, which continues with the commit. */
  readonly work: Import;
}

/** Reads documents on pool threads. A document can be read more than once. */
export class BodyReader {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'parse' | 'readLdpBody'>;

  constructor(store: Pick<StoreClient, 'snapshot'>, pool: Pick<Pool, 'parse' | 'readLdpBody'>) {
    this.#store = store;
    this.#pool = pool;
  }

  /**
   * Parses a document for a resource, against the newest snapshot. Errors: those of `LdpBodyJob`,
   * `cancelled`.
   */
  async read(
    uri: string,
    { document, body }: ReadyDocument,
    purpose: LdpPurpose,
    caller: Caller,
  ): Promise<Result<ReadBody>> {
    const hasLeft = watchClient(caller);
    const { mediaType, gzip, charset } = document;
    const work = newImport(uri, { mediaType, body, baseIri: uri }, caller);
    // Parsing transfers the buffer to the thread.
    const text = { body: body.slice(), mediaType, gzip, ...(charset && { charset }) };
    const { snapshot } = this.#store;
    const visible = visiblePatterns(caller);
    const request = { ...text, target: uri, purpose, snapshot, ...(visible && { visible }) };
    const read = await this.#pool.readLdpBody(request, work.info, caller);
    if (!read.ok) return read;
    if (hasLeft()) return ldpFailure('cancelled', uri);
    return { ok: true, value: { body: read.value, work } };
  }

  /**
   * Returns why a document that will not be stored anyway can't be parsed; undefined if it can be.
   */
  async syntaxError(
    uri: string,
    { document, body }: ReadyDocument,
    caller: Caller,
  ): Promise<ErrorData | undefined> {
    const { mediaType, gzip, charset } = document;
    // Parsing transfers the buffer to the thread.
    const payload = { body: body.slice(), mediaType, gzip, baseIri: uri, ...(charset && { charset }) };
    const parsed = await this.#pool.parse(payload, newImport(uri, payload, caller).info, caller);
    return parsed.ok ? undefined : parsed.error;
  }
}
