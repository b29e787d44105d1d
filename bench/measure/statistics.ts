/** The value at a share of the sorted values, interpolated; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Middle and spread: median, first and third quartile. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/**
 * Returns the spread of the ratios of values measured alternately, pair by pair, so that
 * disturbances of the machine affect both values of a pair. If they are not pairs, returns only the
 * ratio of the medians. Logarithms are interpolated, so that the inverse ratios have the inverse
 * spread.
 */
export function ratioSpread(values: readonly number[], references: readonly number[]): Spread {
  if (values.length === references.length) {
    return exponential(spread(values.map((value, i) => Math.log(value / references[i]!))));
  }
  const ratio = median(values) / median(references);
  return { median: ratio, low: ratio, high: ratio };
}

function exponential({ median, low, high }: Spread): Spread {
  return { median: Math.exp(median), low: Math.exp(low), high: Math.exp(high) };
}
