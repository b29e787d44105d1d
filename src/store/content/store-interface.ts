import type { ContentDamage } from './verified-files.ts';
import type { ByteSource, ContentFile } from './write-file.ts';

/** Looks at the newest state. */
export type IsReferenced = (digest: string) => boolean;

/**
 * The bytes of content, by their digest: in local files (`ContentFiles`), or in objects that the
 * processes of a cluster share.
 */
export interface ContentStore {
  /** What nothing refers to is kept at least this long, in milliseconds. */
  readonly graceMs: number;
  /** The files of this process that were found damaged while they were read. */
  readonly damage: ContentDamage;
  /**
   * Stores the bytes durably; only then may a transaction refer to them. They stay at least until
   * `unpin`, even if nothing refers to them. Errors of the source are passed on, and leave nothing
   * behind. Throws `store-full`, `writes-disabled` and `unavailable`.
   */
  write(source: ByteSource): Promise<ContentFile>;
  /** Ends a writer's protection: from here on the bytes stay while something refers to them. */
  unpin(digest: string): void;
  /**
   * Returns the bytes from `start` up to, not including, `end`; the reader must read to their end
   * or call `return`. Throws `data-damaged`, now or during reading, `unavailable`, and `ENOENT` if
   * there is no such content.
   */
  read(content: ContentFile, start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
  /** Removes what nothing refers to any more, or leaves that to `sweep`. */
  release(digest: string, isReferenced: IsReferenced): Promise<void>;
  /** Removes everything that nothing refers to and is older than `graceMs`; returns the number. */
  sweep(isReferenced: IsReferenced, graceMs: number): Promise<number>;
  /** Stops changing local files: the directory now belongs to another process. */
  abandon(): void;
  close(): Promise<void>;
}
