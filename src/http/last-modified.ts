import { formatHttpDate, parseHttpDate } from './http-date.ts';

/**
 * `Last-Modified` must not be later than `Date` (RFC 9110 section 8.8.2.1). uWebSockets.js writes
 * `Date`, from a text that it makes once a second, so it may be more than a second behind. So every
 * modification time is dated back by this much, always, and dates in requests are read accordingly:
 * a client that sends back the date that it was given gets what it would get without this.
 */
const DATED_BACK_MS = 2_000;

/** What clients are told of a modification time. All times are milliseconds since 1970. */
export function lastModified(modified: number, now = Date.now()): number {
  return wholeSecond(Math.min(modified, now)) - DATED_BACK_MS;
}

export function formatLastModified(modified: number, now = Date.now()): string {
  return formatHttpDate(lastModified(modified, now));
}

/**
 * The newest modification time of which a client may have been told that date; undefined when it is
 * no date. A resource that was changed later is not the one that the client knows.
 */
export function parseLastModified(header: string): number | undefined {
  const date = parseHttpDate(header);
  return date === undefined ? undefined : date + DATED_BACK_MS;
}

function wholeSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
