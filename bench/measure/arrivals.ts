/**
 * The due times of requests at a constant rate, independent of responses. Latency is measured from
 * them: if a server pauses for a second, every request due in that second is charged with the wait
 * (no coordinated omission).
 */
export class Arrivals {
  readonly total: number;
  readonly #began: number;
  readonly #gap: number;
  #taken = 0;

  /** `began`: when the first is due, in milliseconds of any clock. */
  constructor(perSecond: number, seconds: number, began: number) {
    this.total = Math.max(1, Math.round(perSecond * seconds));
    this.#gap = 1000 / perSecond;
    this.#began = began;
  }

  /** Requests that were not due yet. */
  get left(): number {
    return this.total - this.#taken;
  }

  /** The moment when the next request was due, once it is past; undefined while there is none. */
  take(now: number): number | undefined {
    const due = this.#began + this.#taken * this.#gap;
    if (this.left === 0 || due > now) return undefined;
    this.#taken++;
    return due;
  }
}
