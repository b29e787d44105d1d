import { AppError } from '../../errors.ts';
import type { FoundFile } from '../../store/content/storage.ts';
import type { ContentStore, IsReferenced } from '../../store/content/store-interface.ts';
import type { ContentDamage } from '../../store/content/verified-files.ts';
import type { ByteSource, ContentFile } from '../../store/content/write-file.ts';
import type { ObjectBucket, StoredObject } from './bucket.ts';
import { ContentCache } from './content-cache.ts';
import { ContentDownload } from './content-download.ts';
import { HeldBytes } from './held-bytes.ts';

/** Names of objects with content begin with this; the digest follows. */
export const CONTENT_PREFIX = 'content/';
/** How often the object is fetched if its bytes are wrong or it is replaced meanwhile. */
const ATTEMPTS = 3;

/** The files of this process (`ContentFiles`). */
export interface LocalContent extends ContentStore {
  /** `onDraft`: gets the path of the file while it is being written. */
  write(source: ByteSource, onDraft?: (path: string) => void): Promise<ContentFile>;
  found(isWanted: (digest: string) => boolean): AsyncIterable<FoundFile>;
}

export interface SharedContentParts {
  readonly local: LocalContent;
  readonly objects: ObjectBucket;
  /** Bytes of content files that this process keeps. */
  readonly cacheMax: number;
  /** How long content is kept that nothing refers to, in milliseconds. */
  readonly graceMs: number;
  /** Whether this process holds the lease now. */
  readonly mayRemove: () => boolean;
  /**
   * Resolves with true when this process has every commit of before the call: a process that has
   * just got the lease may lack some, and so not know what is referred to.
   */
  readonly catchUp: () => Promise<boolean>;
  /** Closes what `objects` needs. */
  readonly onClose: () => Promise<void>;
}

/** Returns the name of the object with the content of a digest. */
export function contentObject(digest: string): string {
  return CONTENT_PREFIX + digest;
}

/**
 * Content that the processes of a cluster share. An object with the digest as its name has the
 * bytes; it is durable before `write` resolves, so every process that sees a reference can read
 * them. Files of this process are a cache, which is filled when content is written or first read.
 *
 * Only `sweep` removes objects, and only in the process that holds the lease: objects that nothing
 * refers to and that are older than the grace. Nothing is removed that another process is about to
 * refer to: a writer that finds the object there makes it young again, unless it is younger than
 * half of the grace; and an object that was touched or stored since it was found is not removed.
 */
export class SharedContent implements ContentStore {
  readonly graceMs: number;
  readonly #local: LocalContent;
  readonly #objects: ObjectBucket;
  readonly #mayRemove: () => boolean;
  readonly #catchUp: () => Promise<boolean>;
  readonly #onClose: () => Promise<void>;
  readonly #cache: ContentCache;
  readonly #stock: Promise<void>;
  #isClosed = false;
  readonly #downloads = new Map<string, ContentDownload>();
  /** Digests whose objects did not have the right bytes; storing the content again repairs them. */
  readonly #doubted = new Set<string>();

  constructor({ local, objects, cacheMax, graceMs, ...parts }: SharedContentParts) {
    this.graceMs = graceMs;
    this.#local = local;
    this.#objects = objects;
    this.#mayRemove = parts.mayRemove;
    this.#catchUp = parts.catchUp;
    this.#onClose = parts.onClose;
    this.#cache = new ContentCache(cacheMax, (digest, isInUse) => local.release(digest, isInUse));
    this.#stock = this.#takeStock();
    // Reported by `close`.
    this.#stock.catch(() => {});
  }

  get damage(): ContentDamage {
    return this.#local.damage;
  }

  async write(source: ByteSource): Promise<ContentFile> {
    const file = await this.#local.write(source);
    this.#cache.hold(file.digest);
    this.#cache.note(file.digest, file.bytes);
    try {
      await this.#share(file);
      await this.#cache.shrink();
      return file;
    } catch (error) {
      this.unpin(file.digest);
      throw error;
    }
  }

  unpin(digest: string): void {
    this.#local.unpin(digest);
    this.#cache.release(digest);
  }

  async read(content: ContentFile, start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    const { digest } = content;
    this.#cache.hold(digest);
    try {
      const bytes = await this.#openLocal(content, start, end);
      return new HeldBytes(bytes, () => this.#cache.release(digest));
    } catch (error) {
      this.#cache.release(digest);
      throw error;
    }
  }

  /** Does nothing: another process may be about to refer to the same bytes. */
  async release(): Promise<void> {}

  async sweep(isReferenced: IsReferenced, graceMs: number): Promise<number> {
    if (!this.#mayRemove() || !(await this.#catchUp())) return 0;
    const latest = (await this.#objects.clock()) - graceMs;
    let removed = 0;
    for await (const object of this.#objects.list(CONTENT_PREFIX)) {
      const digest = object.name.slice(CONTENT_PREFIX.length);
      if (object.modified > latest || isReferenced(digest)) continue;
      if (!this.#mayRemove()) return removed;
      if (await this.#objects.remove(object)) removed++;
    }
    await this.#objects.removeUnfinished(graceMs);
    return removed;
  }

  abandon(): void {
    this.#local.abandon();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#onClose();
    await this.#local.close();
    await this.#stock;
  }

  /** Finds the files that are there. There may be many, so nothing waits for that. */
  async #takeStock(): Promise<void> {
    const files: FoundFile[] = [];
    for await (const file of this.#local.found(() => true)) {
      if (this.#isClosed) return;
      files.push(file);
    }
    this.#cache.noteOlder(files.sort((a, b) => a.modified - b.modified));
    await this.#cache.shrink();
  }

  /** Resolves when there is an object with these bytes that will not be removed soon. */
  async #share(file: ContentFile): Promise<void> {
    const { digest } = file;
    const name = contentObject(digest);
    for (;;) {
      const found = this.#doubted.has(digest) ? undefined : await this.#objects.find(name);
      if (found?.digest !== digest) {
        const put = () => this.#objects.put({ name, digest }, this.#localBytes(file));
        // When a log server is lost, so are pieces on their way; another one takes them at once.
        await put().catch((error: unknown) => (isUnavailable(error) ? put() : Promise.reject(error)));
        this.#doubted.delete(digest);
        return;
      }
      const isYoung = found.modified > (await this.#objects.clock()) - this.graceMs / 2;
      if (isYoung || (await this.#objects.touch(found))) return;
    }
  }

  /** Opens the file when the first bytes are asked for: perhaps they never are. */
  async *#localBytes(file: ContentFile): AsyncGenerator<Uint8Array> {
    yield* await this.#local.read(file, 0, file.bytes);
  }

  /** Opens the local file, and fetches it if it is not there or damaged. */
  async #openLocal(content: ContentFile, start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    try {
      const bytes = await this.#local.read(content, start, end);
      this.#cache.note(content.digest, content.bytes);
      return bytes;
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== 'ENOENT' && code !== 'data-damaged') throw error;
    }
    const arriving = await this.#download(content).open(start, end);
    return arriving ?? this.#local.read(content, start, end);
  }

  /** Fetches content once for all readers that come meanwhile. */
  #download(content: ContentFile): ContentDownload {
    const { digest } = content;
    const running = this.#downloads.get(digest);
    if (running) return running;
    const download = new ContentDownload();
    this.#downloads.set(digest, download);
    const end = () => this.#downloads.delete(digest);
    this.#fetch(content, download).then(
      () => {
        end();
        download.complete();
      },
      (error: unknown) => {
        end();
        download.fail(error);
      },
    );
    return download;
  }

  async #fetch({ digest, bytes }: ContentFile, download: ContentDownload): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const pieces = this.#objects.read(await this.#object(digest));
        await this.#local.write(download.counted(pieces), (path) => download.begin(path));
        this.#local.unpin(digest);
        this.#cache.note(digest, bytes);
        return await this.#cache.shrink();
      } catch (error) {
        download.discard(error);
        const { code } = error as { readonly code?: unknown };
        if (code === 'data-damaged') this.#doubted.add(digest);
        const mayComeRight = code === 'data-damaged' || code === 'not-found';
        if (!mayComeRight || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Throws `ENOENT` if there is no such content. */
  async #object(digest: string): Promise<StoredObject> {
    const object = await this.#objects.find(contentObject(digest));
    if (!object) {
      const message = `There is no object ${contentObject(digest)} at the log servers.`;
      throw Object.assign(new Error(message), { code: 'ENOENT' });
    }
    if (object.digest === digest) return object;
    throw new AppError('data-damaged', `The object ${object.name} has other bytes than its name says.`);
  }
}

function isUnavailable(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'unavailable';
}
