import type { Restricted } from '../../base/graph-access.ts';
import type { Precondition } from '../../base/precondition.ts';
import { AppError, type ErrorData, errorData, type Result, toErrorData } from '../../errors.ts';
import { contentPath } from '../../store/content/referenced-content.ts';
import type { ContentStore } from '../../store/content/store-interface.ts';
import type { ByteSource, ContentFile } from '../../store/content/write-file.ts';
import { changeDate } from '../../store/graphs/change-date.ts';
import type { StoreClient } from '../../store/main/client.ts';
import {
  contentState,
  type RegisteredContent,
  type StoredContent,
} from '../../store/registry/resource-registry.ts';
import type { ResourceIndex, ResourceName } from '../resources/existence.ts';
import type { ContentGarbageCollector } from './garbage-collector.ts';

export interface ContentInfo {
  /** The value of `Content-Type`, exactly as it was stored. */
  readonly contentType: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly digest: string;
  /** The `<state>` of the content's entity tag. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** What storing and removing content needs besides transactions. */
export interface ContentStorage {
  readonly files: ContentStore;
  readonly garbageCollector: Pick<ContentGarbageCollector, 'release'>;
  /** Returns the date of new content, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Content of resources (http-api 3.7): the bytes are in files, everything else is in the registry.
 */
export class ContentService {
  readonly #index: ResourceIndex;
  readonly #store: Pick<StoreClient, 'commit' | 'state'>;
  readonly #files: ContentStore;
  readonly #garbageCollector: ContentStorage['garbageCollector'];
  readonly #now: () => number;

  constructor(
    index: ResourceIndex,
    store: Pick<StoreClient, 'commit' | 'state'>,
    { files, garbageCollector, now }: ContentStorage,
  ) {
    this.#index = index;
    this.#store = store;
    this.#files = files;
    this.#garbageCollector = garbageCollector;
    this.#now = now;
  }

  /** Returns undefined if the resource has no content. */
  info(resource: ResourceName, client: Restricted): ContentInfo | undefined {
    const content = resource.kind === 'uri' ? this.#index.content(resource.uri, client) : undefined;
    return content && this.#infoOf(content);
  }

  /** See `ResourceIndex.denial`. */
  denial(uri: string, client: Restricted): ErrorData | undefined {
    return this.#index.denial(uri, client);
  }

  /** See `ResourceService.writable`. */
  writable(uri: string): ErrorData | undefined {
    return this.#index.writable(uri);
  }

  /**
   * Returns the bytes from `start` (inclusive) to `end` (exclusive). The caller must read them to
   * the end or call `return`. Errors: `overloaded` if the content has just been replaced, and
   * `unavailable`. Throws `data-damaged`, and so may the iteration: see `ContentStore.read`.
   */
  async read(content: ContentInfo, start: number, end: number): Promise<Result<AsyncIterable<Uint8Array>>> {
    try {
      return { ok: true, value: await this.#files.read(content, start, end) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'unavailable') return { ok: false, error: toErrorData(error) };
      if (code !== 'ENOENT') throw error;
      if (this.#index.isReferred(content.digest)) throw missing(content, error);
      const replaced = new AppError('overloaded', 'The content was replaced while it was read.', {
        retryAfter: 1,
      });
      return { ok: false, error: toErrorData(replaced) };
    }
  }

  /**
   * Writes the body to disk as it arrives, and makes it the content. It is durable when the promise
   * resolves. Errors: `empty-body`, `precondition-failed`, `store-full`, and those of the body.
   */
  async put(
    uri: string,
    contentType: string,
    body: ByteSource,
    precondition: Precondition | undefined,
  ): Promise<Result<{ readonly created: boolean; readonly content: ContentInfo }>> {
    const file = await this.#writeFile(body);
    if (!file.ok) return file;
    const before = this.#index.content(uri, everything);
    const modified = changeDate(this.#now(), before?.modified);
    const content = { contentType, ...file.value, modified };
    const committed = file.value.bytes === 0 ? emptyBody : await this.#commit(uri, content, precondition);
    this.#files.unpin(content.digest);
    if (!committed.ok) {
      await this.#garbageCollector.release(content.digest);
      return committed;
    }
    if (before) await this.#garbageCollector.release(before.digest);
    const { replaced, sequence } = committed.value;
    return { ok: true, value: { created: !replaced, content: this.#infoOf({ ...content, sequence }) } };
  }

  /** Returns false if there was no content. Error `precondition-failed`. */
  async remove(uri: string, precondition: Precondition | undefined): Promise<Result<boolean>> {
    const before = this.#index.content(uri, everything);
    const committed = await this.#commit(uri, null, precondition);
    if (!committed.ok) return committed;
    if (before) await this.#garbageCollector.release(before.digest);
    return { ok: true, value: committed.value.replaced };
  }

  async #writeFile(body: ByteSource): Promise<Result<ContentFile>> {
    try {
      return { ok: true, value: await this.#files.write(body) };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: toErrorData(error) };
      throw error;
    }
  }

  async #commit(
    uri: string,
    content: StoredContent | null,
    precondition: Precondition | undefined,
  ): Promise<Result<{ readonly replaced: boolean; readonly sequence: number }>> {
    const committed = await this.#store.commit({
      preconditions: precondition ? [{ ...precondition, resource: uri, aspect: 'content' }] : [],
      operations: [{ kind: 'content', resource: uri, content }],
    });
    if (!committed.ok) return committed;
    const { added = 0, removed = 0, contentSequence: sequence = 0 } = committed.value.outcomes[0] ?? {};
    // Replacing content by identical content changes no row.
    return { ok: true, value: { replaced: removed > 0 || (content !== null && added === 0), sequence } };
  }

  #infoOf(content: RegisteredContent): ContentInfo {
    return { ...content, state: contentState(content, (sequence) => this.#store.state(sequence)) };
  }
}

function missing({ digest }: ContentInfo, cause: unknown): AppError {
  return new AppError(
    'data-damaged',
    `${contentPath(digest)} is missing. Restore it from a backup.`,
    {},
    cause,
  );
}

const emptyBody: { ok: false; error: ErrorData } = {
  ok: false,
  error: errorData('empty-body', 'Content must not be empty.'),
};

/** What is stored decides which files are needed, whatever a client sees of it. */
const everything: Restricted = { access: undefined };
