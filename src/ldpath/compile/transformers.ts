/**
 * `:: type`: converts terms to literals of a type (ldpath 4). A value that does not convert is
 * skipped, with a warning.
 */

import { formatLiteral, parseTerm, type Term, XSD } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { formatDate, formatTime, parseDateTime, parseTime } from './dates.ts';
import { formatDouble, formatExact, formatFloat, parseDouble, parseNumber } from './numbers.ts';
import type { TransformerName } from './transformer-types.ts';

/** Replaces the ids on the stack from `bottom` on by their conversions. */
export function transform(context: EvaluationContext, type: string, bottom: number): void {
  const { stack } = context;
  let to = bottom;
  for (let from = bottom; from < stack.length; from++) {
    const converted = transformTerm(context, type, stack[from]!);
    if (converted !== NO_TERM) stack[to++] = converted;
  }
  context.cut(to);
}

/**
 * Returns the id of a term's conversion; if it does not convert, adds a warning and returns
 * `NO_TERM`.
 */
export function transformTerm(context: EvaluationContext, type: string, id: TermId): TermId {
  const convert = converters[type.slice(XSD.length) as TransformerName];
  const text = context.text(id);
  context.read(text);
  const lexical = convert(parseTerm(text));
  if (lexical === null) {
    context.warn(`${text} does not convert to <${type}>`);
    return NO_TERM;
  }
  const converted = formatLiteral(lexical, type, '');
  return converted === text ? id : context.intern(converted);
}

/** Returns the lexical form in the target type; null if the term does not convert. */
type Converter = (term: Term) => string | null;

const converters: Readonly<Record<TransformerName, Converter>> = {
  string: (term) => term.value,
  anyURI: (term) => collapse(term.value),
  decimal: literal(toDecimal),
  integer: literal((text) => toInteger(text, null)),
  long: literal((text) => toInteger(text, 64)),
  int: literal((text) => toInteger(text, 32)),
  short: literal((text) => toInteger(text, 16)),
  byte: literal((text) => toInteger(text, 8)),
  double: literal((text) => formatted(parseDouble(text), formatDouble)),
  float: literal((text) => formatted(parseDouble(text), formatFloat)),
  boolean: literal(toBoolean),
  dateTime: literal(toDateTime),
  date: literal(toDate),
  time: literal((text) => formatted(parseTime(text), ({ time, zone }) => formatTime(time, zone))),
  duration: literal((text) => (duration.test(text) ? text : null)),
};

function literal(convert: (lexical: string) => string | null): Converter {
  return (term) => (term.kind === 'literal' ? convert(collapse(term.value)) : null);
}

const blanks = /[ \t\r\n]/;

function collapse(text: string): string {
  if (!blanks.test(text)) return text;
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

function formatted<T>(value: T | null, format: (value: T) => string): string | null {
  return value === null ? null : format(value);
}

const withExponent = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))[eE]([+-]?\d{1,4})$/;
/** Limits exponents, because an exponent is written out as that many digits. */
const MAX_EXPONENT = 1000;

/** Returns plain digits; trailing zeros are kept. */
function toDecimal(text: string): string | null {
  const match = withExponent.exec(text);
  const number = parseNumber(match?.[1] ?? text);
  if (number === null || !number.exact) return null;
  const exponent = Number(match?.[2] ?? 0);
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const scale = number.scale - exponent;
  if (scale >= 0) return formatExact({ exact: true, units: number.units, scale });
  return formatExact({ exact: true, units: number.units * 10n ** BigInt(-scale), scale: 0 });
}

/** Nine digits fit in 32 bits, and nearly all integers have this form. */
const short = /^(?:0|-?[1-9]\d{0,8})$/;

/**
 * Returns digits, for every decimal with an integral value that fits into this number of bits
 * (Q-T7).
 */
export function toInteger(text: string, bits: number | null): string | null {
  if ((bits === null || bits >= 32) && short.test(text)) return text;
  const decimal = toDecimal(text);
  const match = decimal === null ? null : /^(-?\d+)(?:\.0*)?$/.exec(decimal);
  if (match === null) return null;
  const value = BigInt(match[1]!);
  return bits === null || BigInt.asIntN(bits, value) === value ? value.toString() : null;
}

/** Accepts XSD's lexical space, in upper or lower case (Q-T4). */
function toBoolean(text: string): string | null {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
      return 'true';
    case 'false':
    case '0':
      return 'false';
    default:
      return null;
  }
}

function toDateTime(text: string): string | null {
  const value = parseDateTime(text);
  if (value?.time === undefined) return null;
  return `${formatDate({ ...value, zone: '' })}T${formatTime(value.time, value.zone)}`;
}

/** Returns a date, or the day of a date and time. */
function toDate(text: string): string | null {
  return formatted(parseDateTime(text), formatDate);
}

const duration = /^-?P(?=[\dT])(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
