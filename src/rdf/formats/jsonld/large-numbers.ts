import { randomInt } from 'node:crypto';
import { endOfString, QUOTE } from '../../../base/json/bytes.ts';
import { RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { type Edit, EditedText } from './edited-text.ts';

const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** Digits of the whole numbers that JSON-LD 1.1 reads as integers, and Oxigraph as doubles. */
const DIGITS = 21;
/** The shortest of them is `1e20`. */
const SHORTEST = 4;
/** Bounds the memory for edits. */
const MAX_NUMBERS = 100_000;
/**
 * Placeholders have 16 digits, and differ by this. Their last digit is 7: doubles are written
 * without zeros at the end.
 */
const STEP = 10;
const FIRST = 10 ** 15;
const RANGE = 2 ** 47;

const jsonNumber = /^(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/;
/** A placeholder as an integer, and as a double. */
const placeholder = /(?<!\d)(?:(\d{16})|(\d)\.(\d{15})E15)(?!\d)/g;

/**
 * The whole numbers of a document from 10²⁰ up to 10²¹, without their signs. The parser gets a
 * smaller whole number in place of each, and so shows which type it gives it.
 */
export class LargeNumbers {
  /** What the parser receives. */
  readonly text: EditedText;
  /** Random, so that the numbers from here on are in no document. */
  readonly #first = FIRST + randomInt(RANGE) * STEP + 7;
  /** The digits of each number. */
  readonly #numbers: string[] = [];

  /** Throws `too-large`. */
  constructor(document: Uint8Array) {
    this.text = new EditedText(document, this.#edits(document));
  }

  /** Returns a text of the parser with the numbers of the document. */
  restored(text: string): string {
    if (this.#numbers.length === 0) return text;
    const isJson = text.includes('22-rdf-syntax-ns#JSON>');
    return text.replace(placeholder, (found, integer?: string, head?: string, tail?: string) => {
      const digits = this.#numbers[(Number(integer ?? `${head}${tail}`) - this.#first) / STEP];
      if (digits === undefined) return found;
      if (integer === undefined) return asDouble(digits);
      return isJson ? String(Number(digits)) : digits;
    });
  }

  #edits(document: Uint8Array): Edit[] {
    const edits: Edit[] = [];
    let at = 0;
    while (at < document.length) {
      const byte = document[at]!;
      if (byte === QUOTE) at = endOfString(document, at);
      else if (isDigit(byte)) {
        const start = at;
        at = endOfNumber(document, start);
        const digits = at - start < SHORTEST ? undefined : largeNumber(document, start, at);
        if (digits !== undefined)
          edits.push({ start, end: at, replacement: this.#add(digits, document, start) });
      } else at++;
    }
    return edits;
  }

  #add(digits: string, document: Uint8Array, at: number): Uint8Array {
    if (this.#numbers.length === MAX_NUMBERS) {
      const message = `More than ${MAX_NUMBERS} whole numbers are 10^20 or larger`;
      throw new RdfError('too-large', message, { source: 'body', ...positionOfByte(document, at) });
    }
    const index = this.#numbers.push(digits) - 1;
    return Buffer.from(String(this.#first + index * STEP));
  }
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** Returns the offset after the bytes that can belong to the number, or follow it by mistake. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && isPart(bytes[at]!)) at++;
  return at;
}

function isPart(byte: number): boolean {
  // `.`, `+`, `-`, `E`, `e`
  return isDigit(byte) || byte === 0x2e || byte === 0x2b || byte === MINUS || byte === 0x45 || byte === 0x65;
}

/** Returns the digits of a whole number that has 21 of them; undefined for other tokens. */
function largeNumber(bytes: Uint8Array, start: number, end: number): string | undefined {
  const token = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const [, whole, fraction = '', exponent = '0'] = jsonNumber.exec(token) ?? [];
  if (whole === undefined) return undefined;
  const shown = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  const leading = `${whole}${fraction}`.search(/[1-9]/);
  const length = whole.length - leading + Number(exponent);
  const isWhole = shown.length <= length;
  return shown !== '' && length === DIGITS && isWhole ? shown.padEnd(DIGITS, '0') : undefined;
}

/** The canonical form of the double, as Oxigraph writes it. */
function asDouble(digits: string): string {
  return `${digits[0]}.${digits.slice(1).replace(/0+$/, '') || '0'}E${DIGITS - 1}`;
}
