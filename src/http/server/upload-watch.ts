/** uWebSockets.js closes a connection 8 to 12 s after its idle timeout was last restarted. */
const REFRESH_MS = 4_000;
const MAX_TICK_MS = 250;

/** An upload that the watch checks at each tick. */
interface WatchedUpload {
  /** `refresh`: whether to restart the idle timeout of uWebSockets.js. */
  check(now: number, refresh: boolean): void;
}

/**
 * One timer for all uploads. It finds those that have stalled, and keeps the idle timeout of
 * uWebSockets.js from ending those that have not. It runs while there are uploads.
 */
export class UploadWatch {
  readonly #uploads = new Set<WatchedUpload>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #ticked = 0;
  #sinceRefresh = 0;

  /** `timeoutMs`: the shortest time that must be detected, with a tolerance of a quarter. */
  constructor(timeoutMs: number) {
    this.#tickMs = Math.max(10, Math.min(MAX_TICK_MS, Math.floor(timeoutMs / 4)));
  }

  add(upload: WatchedUpload): void {
    this.#uploads.add(upload);
    if (this.#timer) return;
    this.#ticked = Date.now();
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  remove(upload: WatchedUpload): void {
    this.#uploads.delete(upload);
  }

  #tick(): void {
    if (this.#uploads.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = Date.now();
    // On a busy machine a tick may be late by more than its length.
    this.#sinceRefresh += Math.max(this.#tickMs, now - this.#ticked);
    this.#ticked = now;
    const refresh = this.#sinceRefresh >= REFRESH_MS;
    if (refresh) this.#sinceRefresh = 0;
    for (const upload of this.#uploads) upload.check(now, refresh);
  }
}
