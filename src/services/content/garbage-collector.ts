import type { ContentStore } from '../../store/content/store-interface.ts';
import type { ResourceIndex } from '../resources/existence.ts';

const HOUR_MS = 3_600_000;

/** The content garbage collector: removes content files that no resource refers to any more. */
export class ContentGarbageCollector {
  readonly #files: ContentStore;
  readonly #index: Pick<ResourceIndex, 'isReferred' | 'writeError'>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    files: ContentStore,
    index: Pick<ResourceIndex, 'isReferred' | 'writeError'>,
    onError: (error: unknown) => void,
  ) {
    this.#files = files;
    this.#index = index;
    this.#onError = onError;
  }

  /**
   * Removes what was left by a process that ended unexpectedly, now and every hour. What is younger
   * than the store's grace is kept.
   */
  start(): void {
    this.#timer = setInterval(() => void this.sweep(), HOUR_MS).unref();
    void this.sweep();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Call this after a reference has been removed. A file that can't be removed is left for a later
   * sweep.
   */
  async release(digest: string): Promise<void> {
    try {
      await this.#files.release(digest, this.#isNeeded);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Removes all files that nothing refers to, except those of the last `graceMs`. */
  async sweep(graceMs = this.#files.graceMs): Promise<void> {
    try {
      await this.#files.sweep(this.#isNeeded, graceMs);
    } catch (error) {
      this.#onError(error);
    }
  }

  /**
   * While writes are disabled, the content of the disk is uncertain: the next start, or a process
   * that has taken over the directory, may find that a commit rejected here refers to the file.
   */
  readonly #isNeeded = (digest: string): boolean =>
    this.#index.writeError !== undefined || this.#index.isReferred(digest);
}
