/** Which backups of a repository are kept. */

const DAY_MS = 86_400_000;

/** How long backups are kept. */
export interface KeepRule {
  /** Every backup of this time is kept, in milliseconds. */
  readonly allMs: number;
  /** The last backup of each day (UTC) is kept for this time, in milliseconds. */
  readonly dailyMs: number;
}

/**
 * Returns the times of the backups that are kept: those of the last `allMs` and the one before
 * them, so that each moment of that time can be restored; the last one of each day (UTC) of the
 * last `dailyMs`; and always the newest. All times are in milliseconds since 1970.
 */
export function keptTimes(times: readonly number[], now: number, rule: KeepRule): Set<number> {
  const sorted = [...times].sort((a, b) => a - b);
  const kept = new Set(sorted.filter((time) => time >= now - rule.allMs));
  const before = sorted.findLast((time) => time < now - rule.allMs);
  if (before !== undefined) kept.add(before);
  const lastOfDay = new Map(sorted.map((time) => [Math.floor(time / DAY_MS), time]));
  for (const time of lastOfDay.values()) if (time >= now - rule.dailyMs) kept.add(time);
  const newest = sorted.at(-1);
  if (newest !== undefined) kept.add(newest);
  return kept;
}
