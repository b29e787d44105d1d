/** One waits until others have something for it. It looks for itself at what that is, and waits again if it is not enough. */
export class Signal {
  #wake: (() => void) | null = null;

  /** Whether somebody waits. */
  get awaited(): boolean {
    return this.#wake !== null;
  }

  /** Resolves at the next `notify`. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
