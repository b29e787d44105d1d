import type { Kind } from './kinds.ts';
import { type Fit, fitScaling, type ScalingPoint } from './usl.ts';

/** How one kind of request goes with the number of threads. */
export interface Scaling {
  readonly kind: Kind;
  readonly points: readonly ScalingPoint[];
  readonly fit: Fit;
}

/** Kinds that the pool's threads work for. */
export const pooledKinds: ReadonlySet<Kind> = new Set(['path', 'program', 'batch']);

/** Throughput that fewer threads may lack. */
const NEARLY = 0.97;

export function scalingOf(kind: Kind, points: readonly ScalingPoint[]): Scaling {
  return { kind, points, fit: fitScaling(points) };
}

/**
 * Returns the fewest threads with nearly the best throughput over all kinds; undefined if nothing
 * was measured.
 */
export function recommendedThreads(scalings: readonly Scaling[]): number | undefined {
  const counts = (scalings[0]?.points ?? []).map(({ threads }) => threads);
  const scores = counts.map((threads) => ({ threads, score: score(scalings, threads) }));
  const best = Math.max(...scores.map(({ score }) => score));
  return scores.sort((a, b) => a.threads - b.threads).find(({ score }) => score >= best * NEARLY)?.threads;
}

/** Geometric mean of the shares of each kind's best. */
function score(scalings: readonly Scaling[], threads: number): number {
  const shares = scalings.map(({ points }) => {
    const here = points.find((point) => point.threads === threads)?.throughput ?? 0;
    return here / Math.max(...points.map(({ throughput }) => throughput));
  });
  return shares.reduce((product, share) => product * share, 1) ** (1 / shares.length);
}
