import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors.ts';
import { syncDirectory } from '../../journal/disk/durable-directory.ts';
import { FileRange } from './file-range.ts';
import type { ContentStore, IsReferenced } from './store-interface.ts';
import { type ContentDamage, VerifiedFiles } from './verified-files.ts';
import { VerifiedRange } from './verified-range.ts';
import { type ByteSource, type ContentFile, writeDraft } from './write-file.ts';

const INCOMING = 'incoming';
const FOLDER = /^[0-9a-f]{2}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const HOUR_MS = 3_600_000;

/** A content file that is there. */
export interface FoundFile extends ContentFile {
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * The bytes of content, in files beside the RDF data: `<first two digits of the digest>/<digest>`.
 * A file is complete and synced before it gets its name. Its name is on disk before `write`
 * resolves, and only then may a transaction refer to it. Unreferenced files are removed by
 * `release` or, if a process died in between, by `sweep`.
 */
export class ContentFiles implements ContentStore {
  readonly graceMs = HOUR_MS;
  readonly #directory: string;
  readonly #temporary: boolean;
  /** For each file that the newest snapshot may not refer to yet, the number of its writers. */
  readonly #pins = new Map<string, number>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #verified = new VerifiedFiles();

  #prepared: Promise<void> | undefined;
  #isAbandoned = false;

  /**
   * Creates `directory` if it is missing. Null stands for a temporary directory, which is created
   * with the first content and removed by `close`.
   */
  static async open(directory: string | null): Promise<ContentFiles> {
    if (directory === null) {
      return new ContentFiles(join(tmpdir(), `pathpool-content-${randomUUID()}`), true);
    }
    const files = new ContentFiles(directory, false);
    await files.#prepare();
    return files;
  }

  private constructor(directory: string, temporary: boolean) {
    this.#directory = directory;
    this.#temporary = temporary;
  }

  /**
   * Stores the bytes. The file stays at least until `unpin`, even if nothing refers to it. Errors
   * of the source are passed on, and leave nothing behind. Throws `store-full` if the disk has no
   * room, and `writes-disabled` after `abandon`. `onDraft` gets the path at which the bytes can be
   * read before the file has its name.
   */
  async write(source: ByteSource, onDraft?: (path: string) => void): Promise<ContentFile> {
    if (this.#isAbandoned) throw new AppError('writes-disabled', 'The data directory was taken over.');
    await this.#prepare();
    const draft = join(this.#directory, INCOMING, randomUUID());
    try {
      const written = writeDraft(draft, source);
      onDraft?.(draft);
      const file = await written;
      this.#pin(file.digest);
      try {
        await this.#install(draft, file.digest);
      } catch (error) {
        this.unpin(file.digest);
        throw error;
      }
      return file;
    } catch (error) {
      await rm(draft, { force: true });
      throw noRoom(error) ? new AppError('store-full', 'The disk has no room for this content.') : error;
    }
  }

  /**
   * Ends a writer's protection of a file: from here on it stays only as long as something refers to
   * it.
   */
  unpin(digest: string): void {
    const pins = this.#pins.get(digest) ?? 0;
    if (pins > 1) this.#pins.set(digest, pins - 1);
    else this.#pins.delete(digest);
  }

  /** The files that were found damaged while they were read. */
  get damage(): ContentDamage {
    return this.#verified.damage;
  }

  /**
   * Opens a file for reading; the caller closes it. A file that is removed meanwhile can be read to
   * its end.
   */
  open(digest: string): Promise<FileHandle> {
    return open(this.#path(digest), 'r');
  }

  /**
   * Returns the bytes from `start` up to, not including, `end`; the reader must read to their end
   * or call `return`. The file is verified first, unless this process has done that before; a whole
   * file is verified again while it is read. Throws `data-damaged`, now or during reading, and
   * `ENOENT` if there is no such file.
   */
  async read(content: ContentFile, start: number, end: number): Promise<AsyncIterable<Uint8Array>> {
    const { digest, bytes } = content;
    const file = await this.open(digest);
    try {
      await this.#verified.require(file, digest, bytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    const range = new FileRange(file, start, end);
    const isWhole = start === 0 && end === bytes;
    return isWhole ? new VerifiedRange(range, content, () => this.#verified.noteDamage(digest)) : range;
  }

  /** Removes a file unless something refers to it. `isReferenced` looks at the newest state. */
  async release(digest: string, isReferenced: IsReferenced): Promise<void> {
    if (this.#isAbandoned) return;
    if (this.#pins.has(digest) || this.#removals.has(digest) || isReferenced(digest)) return;
    this.#verified.forget(digest);
    const removal = unlink(this.#path(digest)).catch(ignoreMissing);
    this.#removals.set(digest, removal);
    try {
      await removal;
    } finally {
      this.#removals.delete(digest);
    }
  }

  /** Removes all unreferenced files older than `graceMs`; returns their number. */
  async sweep(isReferenced: IsReferenced, graceMs: number): Promise<number> {
    const latest = Date.now() - graceMs;
    let removed = 0;
    if (this.#isAbandoned) return removed;
    for await (const { digest, modified } of this.found((name) => !isReferenced(name))) {
      if (modified > latest) continue;
      await this.release(digest, isReferenced);
      removed++;
    }
    return removed;
  }

  /** Yields the files that are there, and whose digest is wanted. */
  async *found(isWanted: (digest: string) => boolean): AsyncGenerator<FoundFile> {
    if (!this.#prepared) return;
    for (const folder of await readdir(this.#directory)) {
      if (!FOLDER.test(folder)) continue;
      for (const digest of await readdir(join(this.#directory, folder))) {
        if (!DIGEST.test(digest) || !isWanted(digest)) continue;
        const stats = await stat(this.#path(digest)).catch(ignoreMissing);
        if (stats) yield { digest, bytes: stats.size, modified: stats.mtimeMs };
      }
    }
  }

  /** Stops writing and removing files: the directory now belongs to another process. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async close(): Promise<void> {
    if (this.#temporary) await rm(this.#directory, { recursive: true, force: true });
  }

  /**
   * Makes the folders once. A failure is retried with the next write: there may be room by then.
   */
  #prepare(): Promise<void> {
    this.#prepared ??= makeFolders(this.#directory).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  /** Renames the draft, even over an existing file: bytes with the same digest are the same. */
  async #install(draft: string, digest: string): Promise<void> {
    await this.#removals.get(digest);
    const path = this.#path(digest);
    await rename(draft, path);
    await syncDirectory(dirname(path));
    // The digest was computed from the bytes as they were received.
    this.#verified.note(digest, await stat(path, { bigint: true }));
  }

  #pin(digest: string): void {
    this.#pins.set(digest, (this.#pins.get(digest) ?? 0) + 1);
  }

  #path(digest: string): string {
    if (!DIGEST.test(digest))
      throw new AppError('data-damaged', 'The digest of a content file is malformed.');
    return join(this.#directory, digest.slice(0, 2), digest);
  }
}

async function makeFolders(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  // Files in there were being written when a process died.
  await rm(join(root, INCOMING), { recursive: true, force: true });
  await mkdir(join(root, INCOMING));
  // Create all of them at once, so that later only the file's own folder needs a sync.
  for (let i = 0; i < 256; i++) {
    await mkdir(join(root, i.toString(16).padStart(2, '0')), { recursive: true });
  }
  await syncDirectory(root);
  await syncDirectory(dirname(root));
}

function noRoom(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
