/** Bytes of a file that is kept until they have been read, or the reader stops. */
export class HeldBytes implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #bytes: AsyncIterator<Uint8Array>;
  #release: (() => void) | undefined;

  constructor(bytes: AsyncIterable<Uint8Array>, release: () => void) {
    this.#bytes = bytes[Symbol.asyncIterator]();
    this.#release = release;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const result = await this.#bytes.next();
      if (result.done) this.#end();
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    return (await this.#bytes.return?.()) ?? { done: true, value: undefined };
  }

  #end(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
