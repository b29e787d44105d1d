import { XSD } from '../../rdf/model/term.ts';

/** What plain values distinguish about datatypes. */
export const OTHER = 0;
export const NUMBER = 1;
export const BOOLEAN = 2;
/** A date and time. */
export const INSTANT = 3;
export const DATE = 4;

export type ValueClass = 0 | 1 | 2 | 3 | 4;

const numbers = [
  ...['integer', 'decimal', 'double', 'float', 'long', 'int', 'short', 'byte'],
  ...['nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'negativeInteger'],
  ...['unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'],
];

const classes: readonly (readonly [string, ValueClass])[] = [
  ...numbers.map((name) => [name, NUMBER] as const),
  ['boolean', BOOLEAN],
  ['dateTime', INSTANT],
  ['dateTimeStamp', INSTANT],
  ['date', DATE],
];

interface KnownType {
  readonly bytes: Uint8Array;
  readonly valueClass: ValueClass;
}

/** By the length of the IRI. */
const known: KnownType[][] = [];
for (const [name, valueClass] of classes) {
  const bytes = new TextEncoder().encode(XSD + name);
  known[bytes.length] ??= [];
  known[bytes.length]!.push({ bytes, valueClass });
}

/** Returns the class of the datatype whose IRI is `bytes[from .. to)`. */
export function valueClassOf(bytes: Uint8Array, from: number, to: number): ValueClass {
  const candidates = known[to - from];
  if (candidates === undefined) return OTHER;
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i]!;
    if (endsEqual(candidate.bytes, bytes, to)) return candidate.valueClass;
  }
  return OTHER;
}

/** Compares from the end: the names differ there. */
function endsEqual(expected: Uint8Array, bytes: Uint8Array, to: number): boolean {
  for (let i = expected.length - 1, j = to - 1; i >= 0; i--, j--) {
    if (expected[i] !== bytes[j]) return false;
  }
  return true;
}
