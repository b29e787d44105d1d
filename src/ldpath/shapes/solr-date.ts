import { DATE, type INSTANT } from './datatypes.ts';

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
const date = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns a date in the only form that Solr reads, an instant of UTC such as
 * `2012-03-04T03:06:07.089Z`; undefined if it has another form or does not exist. A date and time
 * without a zone is one of UTC; a date is the beginning of that day in UTC, whatever its zone.
 */
export function instantOf(lexical: string, kind: typeof INSTANT | typeof DATE): string | undefined {
  const match = (kind === DATE ? date : dateTime).exec(lexical);
  if (!match) return undefined;
  const [text, part] = match;
  if (!isDay(lexical.slice(0, DAY_LENGTH))) return undefined;
  const instant = new Date(kind === DATE ? `${part}T00:00:00Z` : part === undefined ? `${text}Z` : text);
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = instant.toISOString();
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso;
}

const DAY_LENGTH = 10;

/** Whether a day exists: `Date` takes 31 February for 2 March. */
function isDay(day: string): boolean {
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
}
