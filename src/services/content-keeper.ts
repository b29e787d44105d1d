import type { ContentFiles } from '../store/content-files.ts';
import type { ResourceIndex } from './resource-index.ts';

const HOUR_MS = 3_600_000;

/** Removes files of content that no resource refers to any more. */
export class ContentKeeper {
  readonly #files: ContentFiles;
  readonly #index: Pick<ResourceIndex, 'isReferred' | 'writeFault'>;
  readonly #onFault: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    files: ContentFiles,
    index: Pick<ResourceIndex, 'isReferred' | 'writeFault'>,
    onFault: (error: unknown) => void,
  ) {
    this.#files = files;
    this.#index = index;
    this.#onFault = onFault;
  }

  /** Looks for files that were left over when a process died, now and every hour. They are spared for an hour. */
  start(): void {
    this.#timer = setInterval(() => void this.sweep(), HOUR_MS).unref();
    void this.sweep();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** To be called when a reference has gone. A file that can't be removed is left to a later sweep. */
  async release(digest: string): Promise<void> {
    try {
      await this.#files.release(digest, this.#isNeeded);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Removes all files that nothing refers to, but for those of the last `graceMs`. */
  async sweep(graceMs = HOUR_MS): Promise<void> {
    try {
      await this.#files.sweep(this.#isNeeded, graceMs);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /**
   * While writes are off nobody knows what the disk holds: the next start, or a process that has
   * taken the directory over, may find that a commit which was refused here refers to the file.
   */
  readonly #isNeeded = (digest: string): boolean =>
    this.#index.writeFault !== undefined || this.#index.isReferred(digest);
}
