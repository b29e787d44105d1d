/**
 * Returns the date of a change. Even if the clock has gone back, it is in a later second than the
 * previous one, because HTTP compares seconds: a client that asks what has changed since would miss
 * the change otherwise. All times are milliseconds since 1970.
 */
export function changeDate(now: number, previous = 0): number {
  return now >= previous ? now : previous + 1_000;
}
