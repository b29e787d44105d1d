/** A participant in fair sharing: a queue, or the jobs of one client within a queue. */
export interface Sharer {
  /** Number of waiting jobs. */
  readonly length: number;
  /** Thread time that it has used, divided by its weight, in milliseconds. */
  virtualTime: number;
}

/**
 * Start-time fair queueing: of the sharers that have waiting jobs, the one with the least
 * `virtualTime` goes next. A sharer that was idle starts level with the others: idle time earns no
 * credit.
 */
export class FairShare<S extends Sharer> {
  readonly #sharers: readonly S[];
  #virtualTime = 0;

  constructor(sharers: readonly S[]) {
    this.#sharers = sharers;
  }

  /** Call it before the sharer's first job waits, or when the sharer may have its turn again. */
  wake(sharer: S): void {
    sharer.virtualTime = Math.max(sharer.virtualTime, this.#virtualTime);
  }

  /**
   * Limits the time that the sharer used ahead of the others, and for which it has to wait, to
   * `most`.
   */
  limitDebt(sharer: S, most: number): void {
    sharer.virtualTime = Math.min(sharer.virtualTime, this.#virtualTime + most);
  }

  /** Returns the sharer whose turn it is; null if no sharer that may run has a waiting job. */
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
