interface Waiter {
  readonly sequence: number;
  end(hasCommit: boolean): void;
}

/** Those who wait until the snapshot contains a commit. */
export class CommitWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves with false if the commit is not there within this time in milliseconds. */
  wait(sequence: number, limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasCommit: boolean) => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(hasCommit);
      };
      const waiter = { sequence, end };
      const timer = setTimeout(() => end(false), limitMs);
      this.#waiters.add(waiter);
    });
  }

  /** Call it with the number of the newest commit. */
  note(sequence: number): void {
    for (const waiter of this.#waiters) if (waiter.sequence <= sequence) waiter.end(true);
  }
}
