import { formatHttpDate, parseHttpDate } from './http-date.ts';

/**
 * `Last-Modified` must not be later than `Date` (RFC 9110 section 8.8.2.1). uWebSockets.js writes
 * `Date` from a text that it makes once a second, so it may be more than a second behind. Therefore
 * every modification time is moved back by this much, and dates in requests are moved forward
 * again: a client that sends back the date it received gets the same result as without the shift.
 */
const DATED_BACK_MS = 2_000;

/** Returns the modification time that clients see. All times are milliseconds since 1970. */
export function lastModified(modified: number, now = Date.now()): number {
  return wholeSecond(Math.min(modified, now)) - DATED_BACK_MS;
}

export function formatLastModified(modified: number, now = Date.now()): string {
  return formatHttpDate(lastModified(modified, now));
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
