/**
 * Returns the date of a change. If the clock has gone back, it is a second after the previous one,
 * because a client that asks what has changed since would miss the change otherwise. Two changes
 * within a second of the clock are the same date in HTTP; only entity tags tell them apart. All
 * times are milliseconds since 1970.
 */
export function changeDate(now: number, previous = 0): number {
  return now >= previous ? now : previous + 1_000;
}
