/**
 * Parses numbers from lexical forms: exact if they are written as integers or decimals, otherwise
 * doubles.
 */
export type Numeric = Exact | Inexact;

export interface Exact {
  readonly exact: true;
  /** The value is `units` / 10^`scale`. */
  readonly units: bigint;
  readonly scale: number;
}

export interface Inexact {
  readonly exact: false;
  readonly value: number;
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const double = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/**
 * Numbers with more digits are read as doubles: the time of arithmetic on digits grows faster than
 * their number.
 */
const MAX_DIGITS = 1000;

/**
 * Returns the value of a lexical form, ignoring surrounding blanks; null if it is not a number.
 * `NaN` and `INF` are numbers.
 */
export function parseNumber(lexical: string): Numeric | null {
  const text = lexical.trim();
  if (text.length <= MAX_DIGITS) {
    const exact = parseDecimal(text);
    if (exact !== null) return exact;
  }
  const value = parseDouble(text);
  return value === null ? null : { exact: false, value };
}

/** Decimal syntax without exponent. */
function parseDecimal(text: string): Exact | null {
  const match = decimal.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return null;
  const units = BigInt(whole + fraction);
  return { exact: true, units: sign === '-' ? -units : units, scale: fraction.length };
}

/** Accepts the lexical space of xsd:double, and the platform's `Infinity`. */
export function parseDouble(text: string): number | null {
  if (double.test(text)) return Number(text);
  switch (text) {
    case 'INF':
    case '+INF':
    case 'Infinity':
    case '+Infinity':
      return Number.POSITIVE_INFINITY;
    case '-INF':
    case '-Infinity':
      return Number.NEGATIVE_INFINITY;
    case 'NaN':
      return Number.NaN;
    default:
      return null;
  }
}

export function toDouble(value: Numeric): number {
  if (!value.exact) return value.value;
  return value.scale === 0 ? Number(value.units) : Number(formatExact(value));
}

/** Returns a negative number, zero or a positive number; NaN if one of the values is NaN. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (a.exact && b.exact) {
    const scale = Math.max(a.scale, b.scale);
    const difference = rescale(a, scale) - rescale(b, scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  const [left, right] = [toDouble(a), toDouble(b)];
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.NaN;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the units of a value at a scale that is not smaller than its own. */
export function rescale(value: Exact, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

/** Returns plain digits, with the decimal point that the scale requires. */
export function formatExact({ units, scale }: Exact): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns the XSD canonical form of xsd:double: `4.2E1`, `INF`, `-INF`, `NaN`. */
export function formatDouble(value: number): string {
  return special(value) ?? canonicalExponent(value.toExponential());
}

/**
 * Returns the XSD canonical form of xsd:float: the fewest digits that convert back to the same
 * float.
 */
export function formatFloat(value: number): string {
  const single = Math.fround(value);
  const found = special(single);
  if (found !== null) return found;
  for (let digits = 0; digits < FLOAT_DIGITS; digits++) {
    const text = single.toExponential(digits);
    if (Math.fround(Number(text)) === single) return canonicalExponent(text);
  }
  return canonicalExponent(single.toExponential(FLOAT_DIGITS));
}

const FLOAT_DIGITS = 8;

function special(value: number): string | null {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  return value === 0 ? (Object.is(value, -0) ? '-0.0E0' : '0.0E0') : null;
}

function canonicalExponent(text: string): string {
  const [mantissa, exponent] = text.split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`;
}
