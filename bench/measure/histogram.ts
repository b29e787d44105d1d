/**
 * Values below 2 to this power have a bucket each. Above, a bucket is at most 1/128 of its values
 * wide.
 */
const EXACT_BITS = 8;
const BUCKETS_AN_OCTAVE = 2 ** (EXACT_BITS - 1);
const MOST = 2 ** 32 - 1;
const BUCKETS = bucketOf(MOST) + 1;

/**
 * Counts integers from 0 to 2^32 - 1 in buckets whose width grows with the value. Quantiles are
 * accurate to 1/128.
 */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** The greatest value, exact. */
  get max(): number {
    return this.#max;
  }

  record(value: number): void {
    const whole = Math.min(MOST, Math.max(0, Math.round(value)));
    this.#counts[bucketOf(whole)]!++;
    this.#count++;
    if (whole > this.#max) this.#max = whole;
  }

  /**
   * Returns the least value that at least this share of the values does not exceed, rounded up to
   * the end of its bucket.
   */
  quantile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let passed = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      passed += this.#counts[bucket]!;
      if (passed >= rank) return Math.min(this.#max, lastOf(bucket));
    }
    return Number.NaN;
  }
}

function bucketOf(value: number): number {
  const octave = Math.max(0, 32 - Math.clz32(value) - EXACT_BITS);
  return octave * BUCKETS_AN_OCTAVE + Math.floor(value / 2 ** octave);
}

/** The greatest value of a bucket. */
function lastOf(bucket: number): number {
  const octave = Math.max(0, Math.floor(bucket / BUCKETS_AN_OCTAVE) - 1);
  return (bucket - octave * BUCKETS_AN_OCTAVE + 1) * 2 ** octave - 1;
}
