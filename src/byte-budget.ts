/** How many bytes of one kind the server holds at once, all connections taken together. */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes room for some bytes; false when there is not so much. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
