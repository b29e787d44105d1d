/** A semaphore: runs at most `count` functions at one time, in the order of the calls. */
export class Permits {
  #left: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#left = count;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#left > 0) this.#left--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#left++;
    }
  }
}
