import type { ContentFiles } from '../store/content-files.ts';
import type { ResourceIndex } from './resource-index.ts';

const HOUR_MS = 3_600_000;

/** Removes files of content that no resource refers to any more. */
export class ContentKeeper {
  readonly #files: ContentFiles;
  readonly #index: Pick<ResourceIndex, 'isReferred'>;
  readonly #onFault: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    files: ContentFiles,
    index: Pick<ResourceIndex, 'isReferred'>,
    onFault: (error: unknown) => void,
  ) {
    this.#files = files;
    this.#index = index;
    this.#onFault = onFault;
  }

  /** Looks for files that were left over when a process died, now and every hour. They are spared for an hour. */
  start(): void {
    this.#timer = setInterval(() => void this.#sweep(), HOUR_MS).unref();
    void this.#sweep();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** To be called when a reference has gone. A file that can't be removed is left to a later sweep. */
  async release(digest: string): Promise<void> {
    try {
      await this.#files.release(digest, (other) => this.#index.isReferred(other));
    } catch (error) {
      this.#onFault(error);
    }
  }

  async #sweep(): Promise<void> {
    try {
      await this.#files.sweep((digest) => this.#index.isReferred(digest), HOUR_MS);
    } catch (error) {
      this.#onFault(error);
    }
  }
}
