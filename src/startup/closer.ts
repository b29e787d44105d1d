/** Closes one part. `graceMs`: how long its work in progress may continue, in milliseconds. */
type CloseStep = (graceMs: number) => unknown;

/** Closes the parts of a server in the reverse order of `add`, and only once. */
export class Closer {
  readonly #steps: CloseStep[] = [];
  #closed: Promise<void> | undefined;

  add(close: CloseStep): void {
    this.#steps.push(close);
  }

  /** A part that fails to close does not keep the others open; its error is thrown at the end. */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#closeAll(graceMs);
    return this.#closed;
  }

  async #closeAll(graceMs: number): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#steps.toReversed()) {
      try {
        await close(graceMs);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
