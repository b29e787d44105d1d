/** A condition variable with a single waiter: check the predicate again after `wait()`. */
export class ConditionVariable {
  #wake: (() => void) | null = null;

  /** Whether a function is waiting. */
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
