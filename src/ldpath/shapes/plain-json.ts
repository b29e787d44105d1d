/** Writes values as plain JSON: strings, numbers and booleans. */

import { piece } from '../../base/bytes/writer.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { BOOLEAN, NUMBER } from './datatypes.ts';
import type { ValueReader } from './value-reader.ts';

/** Readers of JSON bound the length of numbers. A longer one is a string. */
const LONGEST_NUMBER = 100;

const isTrue = piece('true');
const isFalse = piece('false');
const decoder = new TextDecoder();

/** Writes the value that was read last. */
export function writePlain(reader: ValueReader, out: ResultWriter): void {
  switch (reader.valueClass) {
    case NUMBER:
      if (isJsonNumber(reader.bytes, reader.from, reader.to)) {
        out.copy(reader.bytes, reader.from, reader.to);
        return;
      }
      break;
    case BOOLEAN: {
      const truth = truthOf(reader);
      if (truth !== undefined) {
        out.append(truth ? isTrue : isFalse);
        return;
      }
    }
  }
  writeString(reader, out);
}

/** Writes the text of the value as a JSON string. */
export function writeString({ bytes, from, to }: ValueReader, out: ResultWriter): void {
  out.copyBetween(QUOTE, bytes, from, to);
}

/** Returns undefined for a lexical form that `xsd:boolean` does not have. */
function truthOf({ bytes, from, to }: ValueReader): boolean | undefined {
  const count = to - from;
  if (count === 1) return bytes[from] === ONE ? true : bytes[from] === ZERO ? false : undefined;
  if (count > 5) return undefined;
  const text = decoder.decode(bytes.subarray(from, to));
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/**
 * Whether a lexical form is a number of JSON that a double can hold approximately: not `+1`, `.5`,
 * `INF`.
 */
export function isJsonNumber(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LONGEST_NUMBER) return false;
  const first = bytes[from] === MINUS ? from + 1 : from;
  let at = endOfDigits(bytes, first, to);
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return false;
  if (at < to && bytes[at] === DOT) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction, to);
    if (at === fraction) return false;
  }
  if (at === to) return true;
  if (bytes[at] !== LARGE_E && bytes[at] !== SMALL_E) return false;
  at++;
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
  if (at === to || endOfDigits(bytes, at, to) < to) return false;
  return Number.isFinite(Number(decoder.decode(bytes.subarray(from, to))));
}

function endOfDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;
const LARGE_E = 0x45;
const SMALL_E = 0x65;
