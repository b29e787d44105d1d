import type { HttpResponse } from '../server/message.ts';

type Response = HttpResponse | Promise<HttpResponse>;

/** The requests that write, and that have no response yet. */
export class RunningWrites {
  #count = 0;
  #onNone: (() => void) | undefined;

  /** Counts a request until there is its response, which is returned. */
  add(response: Response): Response {
    if (!(response instanceof Promise)) return response;
    this.#count++;
    return response.finally(() => {
      this.#count--;
      if (this.#count === 0) this.#onNone?.();
    });
  }

  /** Resolves when there are none, or after this time in milliseconds. */
  ended(limitMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
