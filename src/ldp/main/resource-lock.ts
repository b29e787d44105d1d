/**
 * Turns at a resource, for writers that were overtaken. Ordinarily nobody takes one: the store settles who is first. But
 * who works on a representation that others change all the time would never be done with it in time.
 */
export class ResourceLock {
  readonly #last = new Map<string, Promise<void>>();

  /** Whether anybody has a turn at the resource, or waits for one: then all who change it take one. */
  isTaken(uri: string): boolean {
    return this.#last.has(uri);
  }

  /** Resolves when all who came before are done; the function that it gives ends the turn. */
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

  /** Does the work at once, or in a turn where they are taken. */
  async pass<T>(uri: string, work: () => Promise<T>): Promise<T> {
    const end = this.isTaken(uri) ? await this.take(uri) : undefined;
    try {
      return await work();
    } finally {
      end?.();
    }
  }

  /**
   * Attempts something until it was not overtaken (undefined), after the first time in a turn; undefined when it was
   * overtaken `most` times for all that.
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
