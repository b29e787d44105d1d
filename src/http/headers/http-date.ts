const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const imfFixdate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const rfc850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const asctime = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/**
 * Formats a time in milliseconds since 1970 as an HTTP date (RFC 9110 section 5.6.7). The fraction
 * of a second is dropped.
 */
export function formatHttpDate(time: number): string {
  return new Date(time).toUTCString();
}

/**
 * Parses an HTTP date in any of its three forms, to milliseconds since 1970. Returns undefined if
 * the text is malformed.
 */
export function parseHttpDate(text: string): number | undefined {
  let match = imfFixdate.exec(text);
  if (match) return utc(match[3]!, match[2]!, match[1]!, match.slice(4));
  match = rfc850.exec(text);
  if (match) return utc(fullYear(Number(match[3])), match[2]!, match[1]!, match.slice(4));
  match = asctime.exec(text);
  if (match) return utc(match[6]!, match[1]!, match[2]!, match.slice(3, 6));
  return undefined;
}

/**
 * A two-digit year that would be more than 50 years in the future belongs to the previous century.
 */
function fullYear(twoDigits: number): string {
  const thisYear = new Date().getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return String(year > thisYear + 50 ? year - 100 : year);
}

function utc(year: string, month: string, day: string, clock: readonly string[]): number | undefined {
  const index = months.indexOf(month);
  const [hour, minute, second] = clock.map(Number) as [number, number, number];
  if (index === -1 || hour > 23 || minute > 59 || second > 60) return undefined;
  const time = Date.UTC(Number(year), index, Number(day), hour, minute, second);
  return new Date(Date.UTC(Number(year), index, Number(day))).getUTCMonth() === index ? time : undefined;
}
