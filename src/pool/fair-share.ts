/** Who takes part in fair sharing: a queue, or within a queue the jobs of one client. */
export interface Sharer {
  /** Jobs that wait. */
  readonly length: number;
  /** Thread time it had, over its weight, in milliseconds. */
  virtualTime: number;
}

/**
 * Start-time fair queueing: of those who have jobs waiting, the one with the least `virtualTime` goes next. One
 * who was idle starts level with the others: nothing was saved up meanwhile.
 */
export class FairShare<S extends Sharer> {
  readonly #sharers: readonly S[];
  #virtualTime = 0;

  constructor(sharers: readonly S[]) {
    this.#sharers = sharers;
  }

  /** Before the sharer's first job waits, or when it may have its turn again. */
  wake(sharer: S): void {
    sharer.virtualTime = Math.max(sharer.virtualTime, this.#virtualTime);
  }

  /** Lets the sharer pay for no more than so much that it had before the others. */
  limitDebt(sharer: S, most: number): void {
    sharer.virtualTime = Math.min(sharer.virtualTime, this.#virtualTime + most);
  }

  /** Whose turn it is; null when none that may run has a job waiting. */
  next(mayRun: (sharer: S) => boolean): S | null {
    let best: S | null = null;
    for (let i = 0; i < this.#sharers.length; i++) {
      const sharer = this.#sharers[i]!;
      if (sharer.length === 0 || (best !== null && sharer.virtualTime >= best.virtualTime)) continue;
      if (mayRun(sharer)) best = sharer;
    }
    if (best) this.#virtualTime = Math.max(this.#virtualTime, best.virtualTime);
    return best;
  }
}
