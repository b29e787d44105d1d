/** Two samples are at least this many bytes apart, and more if there are many. */
const STEP_BYTES = 1 << 20;
const MOST_SAMPLES = 1024;

interface Sample {
  /** Number of a record, and the bytes of all records up to it. */
  readonly commit: number;
  readonly total: number;
}

/** The bytes of records that this process has seen: up to now and, roughly, to earlier records. */
export class ByteCounts {
  #total = 0;
  #samples: Sample[] = [];
  #step = STEP_BYTES;

  get total(): number {
    return this.#total;
  }

  /** Counts the records up to one. */
  add(commit: number, bytes: number): void {
    this.#total += bytes;
    if (this.#total - (this.#samples.at(-1)?.total ?? 0) < this.#step) return;
    this.#samples.push({ commit, total: this.#total });
    if (this.#samples.length < MOST_SAMPLES) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 1);
    this.#step *= 2;
  }

  /** The bytes of the records up to one, or of somewhat fewer. */
  through(commit: number): number {
    return this.#samples.findLast((sample) => sample.commit <= commit)?.total ?? 0;
  }

  /** Forgets what is only needed for records before one. */
  forget(commit: number): void {
    const kept = this.#samples.findLastIndex((sample) => sample.commit <= commit);
    if (kept > 0) this.#samples.splice(0, kept);
  }
}
