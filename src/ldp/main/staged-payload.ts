import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
import type { ContentStorage } from '../../services/content/content.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { LdpBytes, LdpDocument, LdpPayload } from './request-payload.ts';

/** A body that has been read: bytes in memory, or content in a file. */
export type ReadyPayload =
  | ({ readonly kind: 'document' } & ReadyDocument)
  | { readonly kind: 'bytes'; readonly content: StoredContent };

/** A document with its bytes. */
export interface ReadyDocument {
  readonly document: LdpDocument;
  readonly body: Uint8Array;
}

/** The payload of one request, read once for all attempts to store it. */
export class Draft {
  readonly #payload: LdpPayload;
  readonly #storage: ContentStorage;
  #ready: ReadyPayload | undefined;

  constructor(payload: LdpPayload, storage: ContentStorage) {
    this.#payload = payload;
    this.#storage = storage;
  }

  get ready(): ReadyPayload | undefined {
    return this.#ready;
  }

  /** Reads the body. Errors: those of the body, `store-full`. */
  async prepare(): Promise<ErrorData | undefined> {
    const prepared =
      this.#payload.kind === 'document' ? await hold(this.#payload) : await this.#store(this.#payload);
    if (!prepared.ok) return prepared.error;
    this.#ready = prepared.value;
    return undefined;
  }

  /**
   * Must be called at the end, whatever the outcome: it removes content that no resource refers to.
   */
  async dispose(): Promise<void> {
    if (this.#ready?.kind !== 'bytes') return;
    const { files, garbageCollector } = this.#storage;
    const { digest } = this.#ready.content;
    files.unpin(digest);
    await garbageCollector.release(digest);
  }

  async #store(payload: LdpBytes): Promise<Result<ReadyPayload>> {
    const { files, now } = this.#storage;
    const { contentType } = payload;
    try {
      const file = await files.write(payload.open());
      return { ok: true, value: { kind: 'bytes', content: { contentType, ...file, modified: now() } } };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: toErrorData(error) };
      throw error;
    }
  }
}

async function hold(document: LdpDocument): Promise<Result<ReadyPayload>> {
  const body = await document.read();
  return body.ok ? { ok: true, value: { kind: 'document', document, body: body.value } } : body;
}
