import type { Labels, Metrics } from './metrics-text.ts';

/** The metrics, and when they were read. */
export interface Reading {
  /** Seconds since 1970. */
  readonly time: number;
  readonly metrics: Metrics;
}

/** Two readings, one after the other. */
export interface Interval {
  readonly before: Reading;
  readonly now: Reading;
}

type Fits = (labels: Labels) => boolean;

/** By how much a counter grows in a second; undefined after a restart: it begins with 0 again. */
export function rate({ before, now }: Interval, name: string, fits?: Fits): number | undefined {
  const [first, last] = [before, now].map(({ metrics }) => metrics.sum(name, fits));
  const seconds = now.time - before.time;
  if (first === undefined || last === undefined || last < first || seconds <= 0) return undefined;
  return (last - first) / seconds;
}

/**
 * Estimates a quantile of what a histogram has observed between the readings, as Prometheus does:
 * observations are taken to be spread evenly over their bucket. Undefined without observations.
 */
export function quantile(
  { before, now }: Interval,
  share: number,
  name: string,
  fits?: Fits,
): number | undefined {
  const old = before.metrics.buckets(name, fits);
  const counts = [...now.metrics.buckets(name, fits)]
    .map(([limit, count]) => ({ limit, count: count - (old.get(limit) ?? 0) }))
    .sort((a, b) => a.limit - b.limit);
  const total = counts.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const rank = share * total;
  let below = { limit: 0, count: 0 };
  for (const bucket of counts) {
    // Of the bucket without a limit, only the smallest value is known.
    if (bucket.limit === Number.POSITIVE_INFINITY) return below.limit;
    if (bucket.count >= rank && bucket.count > below.count) {
      const within = (rank - below.count) / (bucket.count - below.count);
      return below.limit + within * (bucket.limit - below.limit);
    }
    below = bucket;
  }
  return below.limit;
}
