/** Work in which several take part. */
interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: () => void;
  members: number;
}

/** A part in the work. */
export interface Share<T> {
  readonly result: Promise<T>;
  /** Call it when the result is not needed any more. The last one to leave ends the work. */
  leave(): void;
}

/** Work that is done once for all that want the same at one time. */
export class JointWork<T> {
  readonly #running = new Map<string, Running<T>>();

  /**
   * Takes part in the work with that key, which begins if nobody else does it.
   *
   * @param begin receives a function that sets what ends the work early
   */
  join(key: string, begin: (onAbort: (abort: () => void) => void) => Promise<T>): Share<T> {
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    running.members++;
    let isMember = true;
    const leave = () => {
      if (!isMember) return;
      isMember = false;
      if (--running.members > 0) return;
      this.#forget(key, running);
      running.abort();
    };
    return { result: running.result, leave };
  }

  #begin(key: string, begin: (onAbort: (abort: () => void) => void) => Promise<T>): Running<T> {
    let abort = () => {};
    const result = begin((listener) => {
      abort = listener;
    }).finally(() => {
      this.#forget(key, running);
      // It holds what the work needed.
      abort = () => {};
    });
    const running: Running<T> = { result, abort: () => abort(), members: 0 };
    this.#running.set(key, running);
    return running;
  }

  /** Another work may have the key by now. */
  #forget(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}
