/**
 * A FIFO lock per resource, for writers that lost a race. Normally writers are optimistic and the
 * store decides which one is first. But a writer that changes a representation could lose every
 * race to others that keep changing it.
 */
export class ResourceLock {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Whether a writer holds the lock of the resource or waits for it. Then all other writers take it
   * too.
   */
  isTaken(uri: string): boolean {
    return this.#last.has(uri);
  }

  /** Resolves when all earlier holders have released the lock. The result releases it. */
  async take(uri: string): Promise<() => void> {
    const before = this.#last.get(uri);
    let end = () => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(uri, turn);
    await before;
    return () => {
      if (this.#last.get(uri) === turn) this.#last.delete(uri);
      end();
    };
  }

  /** Does the work at once, or under the lock if that is in use. */
  async pass<T>(uri: string, work: () => Promise<T>): Promise<T> {
    const end = this.isTaken(uri) ? await this.take(uri) : undefined;
    try {
      return await work();
    } finally {
      end?.();
    }
  }

  /**
   * Repeats the work until it returns a value; undefined means that it lost a race. From the second
   * attempt on it holds the lock. Resolves with undefined after `most` lost races.
   */
  async attempt<T>(uri: string, most: number, work: () => Promise<T | undefined>): Promise<T | undefined> {
    let end = this.isTaken(uri) ? await this.take(uri) : undefined;
    try {
      for (let i = 0; i < most; i++) {
        const done = await work();
        if (done !== undefined) return done;
        end ??= await this.take(uri);
      }
      return undefined;
    } finally {
      end?.();
    }
  }
}
