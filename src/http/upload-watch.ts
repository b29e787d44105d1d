import type { Upload } from './upload.ts';

/** The front closes a connection 8 to 12 s after its timeout was last set; it is set anew well before. */
const REFRESH_MS = 4_000;
const MAX_TICK_MS = 250;

/** One timer for all uploads: finds those that stand still. It runs while there are any. */
export class UploadWatch {
  readonly #uploads = new Set<Upload>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #sinceRefresh = 0;

  /** `timeoutMs`: the shortest time that is to be noticed, give or take a quarter. */
  constructor(timeoutMs: number) {
    this.#tickMs = Math.max(10, Math.min(MAX_TICK_MS, Math.floor(timeoutMs / 4)));
  }

  add(upload: Upload): void {
    this.#uploads.add(upload);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  remove(upload: Upload): void {
    this.#uploads.delete(upload);
  }

  #tick(): void {
    if (this.#uploads.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#sinceRefresh += this.#tickMs;
    const refresh = this.#sinceRefresh >= REFRESH_MS;
    if (refresh) this.#sinceRefresh = 0;
    const now = Date.now();
    for (const upload of this.#uploads) upload.check(now, refresh);
  }
}
