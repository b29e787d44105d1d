import { formatHttpDate, parseHttpDate } from './http-date.ts';

/**
 * `Last-Modified` must not be later than `Date` (RFC 9110 section 8.8.2.1). uWebSockets.js writes `Date`, from a text
 * that it makes once a second, so it may be more than a second behind. What changed within the last minute is therefore
 * dated back, by the same time for every reply, and dates in requests are read accordingly. A client that sends back
 * the date that it was given gets what it would get without this.
 */
const DATED_BACK_MS = 2_000;
const RECENT_MS = 60_000;

/** How long a reply with that modification time may be kept. */
export function goodUntil(modified: number, now = Date.now()): number {
  return isRecent(wholeSecond(modified), now) ? wholeSecond(modified) + RECENT_MS : Number.POSITIVE_INFINITY;
}

/** What clients are told of a modification time. All times are milliseconds since 1970. */
export function lastModified(modified: number, now = Date.now()): number {
  const time = wholeSecond(Math.min(modified, now));
  return isRecent(time, now) ? time - DATED_BACK_MS : time;
}

export function formatLastModified(modified: number, now = Date.now()): string {
  return formatHttpDate(lastModified(modified, now));
}

/**
 * No change after this time happened before the client was told that date; undefined when it is none. So a resource that
 * was changed later is another than the client knows.
 */
export function parseLastModified(header: string, now = Date.now()): number | undefined {
  const date = parseHttpDate(header);
  if (date === undefined) return undefined;
  const time = date + DATED_BACK_MS;
  return isRecent(time, now) ? time : date;
}

function isRecent(time: number, now: number): boolean {
  return now - time < RECENT_MS;
}

function wholeSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
