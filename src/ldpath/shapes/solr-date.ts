import { DATE, type INSTANT } from './datatypes.ts';

/** The year has a sign if it is before 0000, and more than four digits if it is after 9999. */
const YEAR = '(-?(?:[1-9]\\d{4,5}|\\d{4}))';
const dateTime = new RegExp(
  `^${YEAR}(-\\d{2}-\\d{2})(T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?)(Z|[+-]\\d{2}:\\d{2})?$`,
);
const date = new RegExp(`^${YEAR}(-\\d{2}-\\d{2})(?:Z|[+-]\\d{2}:\\d{2})?$`);

/**
 * Returns a date in the only form that Solr reads, an instant of UTC such as
 * `2012-03-04T03:06:07.089Z`; undefined if it has another form, does not exist, or is more than
 * 270,000 years away. A date and time without a zone is one of UTC; a date is the beginning of that
 * day in UTC, whatever its zone. The year 0000 is 1 BC, as in ISO 8601.
 */
export function instantOf(lexical: string, kind: typeof INSTANT | typeof DATE): string | undefined {
  const match = (kind === DATE ? date : dateTime).exec(lexical);
  if (!match) return undefined;
  const [, year, monthAndDay, time = 'T00:00:00', zone = 'Z'] = match;
  const day = `${sixDigits(year!)}${monthAndDay}`;
  if (!isDay(day)) return undefined;
  const instant = new Date(`${day}${time}${zone}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = withShortYear(instant.toISOString());
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso;
}

/** Returns a year as `Date` reads it, with a sign: it takes `-000000` for an error. */
function sixDigits(year: string): string {
  const digits = year.replace('-', '').padStart(6, '0');
  return year.startsWith('-') && digits !== '000000' ? `-${digits}` : `+${digits}`;
}

/** `Date` writes years before 0000 with six digits, where Solr writes at least four. */
function withShortYear(iso: string): string {
  return iso.replace(/^([+-])0{1,2}(?=\d{4})/, '$1');
}

/** Whether a day exists: `Date` takes 31 February for 2 March. */
function isDay(day: string): boolean {
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.getUTCDate() === Number(day.slice(-2));
}
