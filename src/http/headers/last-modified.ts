import { formatHttpDate, parseHttpDate } from './http-date.ts';
import { servedDate } from './served-date.ts';

/**
 * `Last-Modified` must not be later than `Date` (RFC 9110 section 8.8.2.1), which is up to two
 * seconds late as long as the event loop is not blocked. Therefore every modification time is moved
 * back by this much, and dates in requests are moved forward again: a client that sends back the
 * date it received gets the same result as without the shift.
 */
const DATED_BACK_MS = 2_000;

/**
 * Returns the modification time that clients see. All times are milliseconds since 1970. A time
 * that `Date` has not reached is replaced by one that it has: the loop was blocked, the clock has
 * gone back, or the data were written by a machine whose clock is ahead.
 */
export function lastModified(modified: number, reached = servedDate.reached()): number {
  return wholeSecond(Math.min(modified - DATED_BACK_MS, reached));
}

/** Whether the date that clients see is that of the change, so that it stays the same. */
export function hasSettled(modified: number, reached = servedDate.reached()): boolean {
  return modified - DATED_BACK_MS <= reached;
}

export function formatLastModified(modified: number, reached?: number): string {
  return formatHttpDate(lastModified(modified, reached));
}

/**
 * Returns the newest modification time for which a client may have received this date; undefined if
 * the header is not a date. A resource that was modified later is not the version that the client
 * knows.
 */
export function parseLastModified(header: string): number | undefined {
  const date = parseHttpDate(header);
  return date === undefined ? undefined : date + DATED_BACK_MS;
}

function wholeSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
