import { XSD } from '../../rdf/model/term.ts';
import { innerTerms, isTripleTerm } from '../../rdf/model/triple-term.ts';

const digitsOf = { float: 6, double: 15, decimal: 18, integer: 18 } as const;
const integer = (digits: number) => `-?[1-9]\\d{0,${digits - 1}}|0`;
const fraction = (digits: number) => `-?(?=[\\d.]{1,${digits + 1}}$)(?:0|[1-9]\\d*)\\.\\d*[1-9]`;
const date = '\\d{4}-\\d\\d-\\d\\d';
const time = '(?:[01]\\d|2[0-3]):\\d\\d:\\d\\d(?:\\.\\d{0,8}[1-9])?';
const zone = '(?:Z|[+-](?:0[1-9]|1[0-3]):\\d\\d)?';

/** Values that Oxigraph writes unchanged, by the names of their datatypes. */
const canonical: Readonly<Record<string, RegExp>> = {
  boolean: /^(?:true|false)$/,
  integer: new RegExp(`^(?:${integer(digitsOf.integer)})$`),
  decimal: new RegExp(`^(?:${integer(digitsOf.decimal)}|${fraction(digitsOf.decimal)})$`),
  double: new RegExp(`^(?:${integer(digitsOf.double)}|${fraction(digitsOf.double)})$`),
  float: new RegExp(`^(?:${integer(digitsOf.float)}|${fraction(digitsOf.float)})$`),
  date: new RegExp(`^${date}${zone}$`),
  dateTime: new RegExp(`^${date}T${time}${zone}$`),
};

/** Other datatypes whose values Oxigraph may write differently. */
const others = new Set([
  ...['byte', 'short', 'int', 'long', 'unsignedByte', 'unsignedShort', 'unsignedInt', 'unsignedLong'],
  ...['positiveInteger', 'negativeInteger', 'nonPositiveInteger', 'nonNegativeInteger'],
  ...['time', 'dateTimeStamp', 'gYear', 'gYearMonth', 'gMonth', 'gMonthDay', 'gDay'],
  ...['duration', 'yearMonthDuration', 'dayTimeDuration'],
]);

const typed = `"^^<${XSD}`;

/**
 * Whether Oxigraph may write a term differently from its canonical N-Triples form, which is given.
 * False for most terms; true also for a few that it would not change.
 */
export function mayBeRespelled(term: string): boolean {
  if (isTripleTerm(term)) return innerTerms(term).some(mayBeRespelled);
  if (!term.startsWith('"') || !term.endsWith('>')) return false;
  const close = term.lastIndexOf(typed);
  if (close < 0) return false;
  const datatype = term.slice(close + typed.length, -1);
  const pattern = Object.hasOwn(canonical, datatype) ? canonical[datatype] : undefined;
  return pattern ? !pattern.test(term.slice(1, close)) : others.has(datatype);
}
