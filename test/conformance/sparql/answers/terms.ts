import type { Term } from 'n3';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const wholeTypes = [
  ...['integer', 'long', 'int', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger'],
  ...[
    'nonPositiveInteger',
    'negativeInteger',
    'unsignedLong',
    'unsignedInt',
    'unsignedShort',
    'unsignedByte',
  ],
];
const booleans: Readonly<Record<string, string>> = {
  '"0"': 'false',
  '"1"': 'true',
  '"false"': 'false',
  '"true"': 'true',
};
const typed = /^("(?:[^"\\]|\\.)*")\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#(\w+)>$/s;

/**
 * One text for each term, and another one for every other term. Language tags are the same in any
 * case.
 */
export function termText(term: Term): string {
  if (term.termType === 'NamedNode') return iriText(term.value);
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  if (term.termType === 'Literal') return literalText(term.value, term.language, term.datatype.value);
  throw new Error(`No term of data: ${term.termType}`);
}

export function iriText(iri: string): string {
  return `<${iri}>`;
}

/** `language` is '' if there is none. */
export function literalText(value: string, language = '', datatype = ''): string {
  const text = JSON.stringify(value);
  if (language !== '') return `${text}@${language.toLowerCase()}`;
  return datatype === '' || datatype === `${XSD}string` ? text : `${text}^^<${datatype}>`;
}

/**
 * The same text for numbers, or booleans, of one datatype that have the same value, however they
 * are spelled.
 */
export function valueText(text: string): string {
  const [, quoted = '', type = ''] = typed.exec(text) ?? [];
  const value = lexicalValue(quoted, type);
  return value === undefined ? text : `${value}^^${type}`;
}

function lexicalValue(quoted: string, type: string): string | undefined {
  if (type === 'boolean') return booleans[quoted];
  if (!isNumeric(type)) return undefined;
  const lexical = (JSON.parse(quoted) as string).replace('INF', 'Infinity');
  if (lexical.trim() === '') return undefined;
  if (type === 'double' || type === 'float') return String(Number(lexical));
  return decimalText(lexical);
}

function isNumeric(type: string): boolean {
  return type === 'double' || type === 'float' || type === 'decimal' || wholeTypes.includes(type);
}

/** Returns a number without redundant zeros, or undefined for other texts. */
function decimalText(lexical: string): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(lexical) ?? [];
  if (!/\d/.test(lexical) || !/^[+-]?[\d.]+$/.test(lexical)) return undefined;
  const digits = `${whole}.${fraction}`;
  return digits === '.' ? '0' : `${sign === '-' ? '-' : ''}${digits}`;
}
