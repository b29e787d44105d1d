/**
 * Parses dates and times from lexical forms (ldpath 4, 5.4). Time zones are kept; without one, UTC
 * is assumed.
 */
export interface DateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Undefined for a plain date. */
  readonly time: TimeOfDay | undefined;
  /** `Z`, `+hh:mm`, `-hh:mm`, or empty. */
  readonly zone: string;
}

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** With its decimal point, as written; or empty. */
  readonly fraction: string;
}

const zonePattern = '(Z|[+-]\\d\\d:?\\d\\d)?';
const timePattern = '(\\d\\d):(\\d\\d):(\\d\\d)(\\.\\d+)?';
const isoDateTime = new RegExp(`^(-?\\d{4,9})-(\\d\\d)-(\\d\\d)(?:[T ]${timePattern})?\\s?${zonePattern}$`);
const isoTime = new RegExp(`^${timePattern}${zonePattern}$`);
const german = /^(\d\d?)\.(\d\d?)\.(\d{4}) (\d\d?):(\d\d)(?::(\d\d))?$/;
const english =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d?) (\d\d):(\d\d):(\d\d)(?: ([A-Z]{1,4}|(?:GMT|UTC)?[+-]\d\d:?\d\d))? (\d{4})$/;
/** Names of time zones in English dates: those of RFC 822, and those of Central Europe. */
const zoneNames: Readonly<Record<string, string>> = {
  Z: 'Z',
  UT: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
};
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Parses a date, or a date and time, in one of the forms that the language supports; null if it has
 * none of them.
 */
export function parseDateTime(lexical: string): DateTime | null {
  const text = lexical.trim();
  const found = parseIso(text) ?? parseGerman(text) ?? parseEnglish(text);
  return found !== null && isValid(found) ? found : null;
}

/** Parses `hh:mm:ss` with an optional fraction and time zone. */
export function parseTime(lexical: string): { readonly time: TimeOfDay; readonly zone: string } | null {
  const match = isoTime.exec(lexical.trim());
  if (match === null) return null;
  const [, hour, minute, second, fraction, zone] = match;
  const time = timeOfDay(hour, minute, second, fraction);
  return isValidTime(time) && isValidZone(zone) ? { time, zone: normalZone(zone) } : null;
}

/** Returns milliseconds since 1970, including fractions; a plain date is its first instant. */
export function instant({ year, month, day, time, zone }: DateTime): number {
  const days = daysSinceEpoch(year, month, day);
  const seconds = time === undefined ? 0 : time.hour * 3600 + time.minute * 60 + time.second;
  const fraction = time === undefined ? 0 : Number(`0${time.fraction}e3`);
  return ((days * 24 * 60 - zoneMinutes(zone)) * 60 + seconds) * 1000 + fraction;
}

export function formatDate({ year, month, day, zone }: DateTime): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}-${twoDigits(month)}-${twoDigits(day)}${zone}`;
}

export function formatTime({ hour, minute, second, fraction }: TimeOfDay, zone: string): string {
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${canonicalFraction(fraction)}${zone}`;
}

function parseIso(text: string): DateTime | null {
  const match = isoDateTime.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (!isValidZone(zone)) return null;
  const time = hour === undefined ? undefined : timeOfDay(hour, minute, second, fraction);
  return { year: Number(year), month: Number(month), day: Number(day), time, zone: normalZone(zone) };
}

function parseGerman(text: string): DateTime | null {
  const match = german.exec(text);
  if (match === null) return null;
  const [, day, month, year, hour, minute, second] = match;
  const time = timeOfDay(hour, minute, second, '');
  return { year: Number(year), month: Number(month), day: Number(day), time, zone: '' };
}

function parseEnglish(text: string): DateTime | null {
  const match = english.exec(text);
  if (match === null) return null;
  const [, month, day, hour, minute, second, zone, year] = match;
  const time = timeOfDay(hour, minute, second, '');
  const normal = zone === undefined || /\d/.test(zone) ? zone?.replace(/^[A-Z]+/, '') : zoneNames[zone];
  if ((zone !== undefined && normal === undefined) || !isValidZone(normal)) return null;
  const monthNumber = months.indexOf(month!) + 1;
  return { year: Number(year), month: monthNumber, day: Number(day), time, zone: normalZone(normal) };
}

function timeOfDay(
  hour: string | undefined,
  minute: string | undefined,
  second = '0',
  fraction: string | undefined = '',
): TimeOfDay {
  return { hour: Number(hour), minute: Number(minute), second: Number(second), fraction };
}

function isValid({ year, month, day, time }: DateTime): boolean {
  const inMonth = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return inMonth && (time === undefined || isValidTime(time));
}

function isValidTime({ hour, minute, second, fraction }: TimeOfDay): boolean {
  const endOfDay = hour === 24 && minute === 0 && second === 0 && /^[.0]*$/.test(fraction);
  return endOfDay || (hour < 24 && minute < 60 && second < 60);
}

function isValidZone(zone: string | undefined): boolean {
  return zone === undefined || Math.abs(zoneMinutes(normalZone(zone))) <= 14 * 60;
}

/** Returns the time zone with a colon. */
function normalZone(zone: string | undefined): string {
  if (zone === undefined || zone === 'Z') return zone ?? '';
  return `${zone.slice(0, 3)}:${zone.slice(-2)}`;
}

function zoneMinutes(zone: string): number {
  if (zone === '' || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Counts days in the proleptic Gregorian calendar. Years start in March, so that the leap day is
 * the last day of a year.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + day - 1 - DAYS_TO_1970;
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const DAYS_TO_1970 = 719_468;

function canonicalFraction(fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return fraction.slice(0, end === 1 ? 0 : end);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
