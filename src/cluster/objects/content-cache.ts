import type { ContentFile } from '../../store/content/write-file.ts';

/** Removes a file from the cache's directory, unless it is in use meanwhile. */
type Remove = (digest: string, isInUse: (digest: string) => boolean) => Promise<void>;

/**
 * Which content files this process has, so that they take a limited room: those that have not been
 * used for longest are removed first. Files in use stay, so they may need more room for a while.
 */
export class ContentCache {
  readonly #maxBytes: number;
  readonly #remove: Remove;
  /** Sizes by digest; the least recently used file first. */
  readonly #files = new Map<string, number>();
  /** For each file in use, by how many. */
  readonly #users = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number, remove: Remove) {
    this.#maxBytes = maxBytes;
    this.#remove = remove;
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes note of a file that is there and has just been used. */
  note(digest: string, bytes: number): void {
    this.#forget(digest);
    this.#files.set(digest, bytes);
    this.#bytes += bytes;
  }

  /** Takes note of files that are there since before the others; the oldest one first. */
  noteOlder(files: readonly ContentFile[]): void {
    const newer = [...this.#files];
    for (const { digest, bytes } of files) this.note(digest, bytes);
    for (const [digest, bytes] of newer) this.note(digest, bytes);
  }

  /** Keeps a file, whether it is there already or not, until `release`. */
  hold(digest: string): void {
    this.#users.set(digest, (this.#users.get(digest) ?? 0) + 1);
  }

  release(digest: string): void {
    const users = this.#users.get(digest) ?? 0;
    if (users > 1) this.#users.set(digest, users - 1);
    else this.#users.delete(digest);
  }

  /** Removes files until the others fit. */
  async shrink(): Promise<void> {
    for (const digest of [...this.#files.keys()]) {
      if (this.#bytes <= this.#maxBytes) return;
      if (this.#isInUse(digest)) continue;
      this.#forget(digest);
      await this.#remove(digest, this.#isInUse);
    }
  }

  #forget(digest: string): void {
    this.#bytes -= this.#files.get(digest) ?? 0;
    this.#files.delete(digest);
  }

  readonly #isInUse = (digest: string): boolean => this.#users.has(digest);
}
