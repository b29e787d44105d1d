import type { LoadResult } from '../load/load.ts';

/** How a target did at one offered load. */
export interface LoadPoint {
  /** Requests a second that were due, and that were answered. */
  readonly offered: number;
  readonly answered: number;
  /** Milliseconds, from the moment due. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** Milliseconds at p99 that the generator itself was late. */
  readonly lateness: number;
}

export interface SearchPlan {
  /** Offered loads as shares of what the closed loop gave, ascending. */
  readonly shares: readonly number[];
  /** Halvings of the gap between the greatest load that was good and the least that was not. */
  readonly refinements: number;
  /** How often a failed load is measured again, because the machine may have been disturbed. */
  readonly retries: number;
  /** Milliseconds. */
  readonly bound: number;
}

export interface Capacity {
  /** Requests a second; 0 when no load was good. */
  readonly requestsPerSecond: number;
  readonly points: readonly LoadPoint[];
}

/** Share of the load that must be answered: less means that requests pile up. */
const ANSWERED = 0.97;
/** Loads below the least share are tried so often, each a fourth of the one before. */
const LOWER = 3;

export function isGood({ offered, answered, p99, failures }: LoadPoint, bound: number): boolean {
  return failures === 0 && p99 <= bound && answered >= offered * ANSWERED;
}

/** Too far from good to be a moment of the machine. */
function isHopeless({ offered, answered }: LoadPoint): boolean {
  return answered < offered / 2;
}

function better(a: LoadPoint, b: LoadPoint): LoadPoint {
  return b.failures < a.failures || (b.failures === a.failures && b.p99 < a.p99) ? b : a;
}

/**
 * Finds the highest load at which p99 stays within the bound. Loads rise until two in a row fail;
 * then the gap is bisected. If even the lowest load fails, lower ones are tried.
 */
export async function findCapacity(
  most: number,
  { shares, refinements, retries, bound }: SearchPlan,
  measure: (perSecond: number) => Promise<LoadPoint>,
): Promise<Capacity> {
  const points: LoadPoint[] = [];
  const look = async (perSecond: number) => {
    let point = await measure(Math.max(1, perSecond));
    for (let i = 0; i < retries && !isGood(point, bound) && !isHopeless(point); i++) {
      point = better(point, await measure(Math.max(1, perSecond)));
    }
    points.push(point);
    return isGood(point, bound);
  };
  let good = 0;
  let bad: number | undefined;
  let badInARow = 0;
  for (const share of shares) {
    if (await look(share * most)) {
      // What was bad below was a moment of the machine.
      good = share * most;
      bad = undefined;
      badInARow = 0;
    } else {
      bad ??= share * most;
      if (++badInARow === 2) break;
    }
  }
  for (let i = 0; i < LOWER && good === 0 && bad !== undefined; i++) {
    if (await look(bad / 4)) good = bad / 4;
    else bad /= 4;
  }
  for (let i = 0; i < refinements && bad !== undefined; i++) {
    const middle = (good + bad) / 2;
    if (await look(middle)) good = middle;
    else bad = middle;
  }
  return { requestsPerSecond: good, points: points.sort((a, b) => a.offered - b.offered) };
}

export function toPoint(offered: number, result: LoadResult): LoadPoint {
  const { latency, requestsPerSecond, failures, lateness } = result;
  return { offered, answered: requestsPerSecond, p50: latency.p50, p99: latency.p99, failures, lateness };
}
