/** A limit on the bytes of one kind that are buffered, for all connections together. */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#held;
  }

  /** Reserves some bytes; returns false if that exceeds the limit. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
