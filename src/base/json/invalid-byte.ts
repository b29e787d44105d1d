import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from './bytes.ts';

/** The token that may come next. At `first …` the object or list may also end. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/**
 * Returns the offset of the first byte that makes a text invalid JSON (RFC 8259), or the text's
 * length if it is a valid beginning. The text is valid UTF-8. `JSON.parse` seldom reports where it
 * failed.
 */
export function firstInvalidByte(bytes: Uint8Array): number {
  const scanner = new Scanner(bytes);
  /** How the open objects and lists end. */
  const open: number[] = [];
  let next: Next = 'value';
  const afterValue = () => (open.length === 0 ? 'nothing' : 'comma');
  for (scanner.space(); scanner.at < bytes.length; scanner.space()) {
    if (next === 'nothing') return scanner.at;
    if (open.length > 0 && mayEnd.has(next) && scanner.take(open.at(-1)!)) {
      open.pop();
      next = afterValue();
    } else if (next === 'comma') {
      if (!scanner.take(COMMA)) return scanner.at;
      next = open.at(-1) === CLOSE_OBJECT ? 'key' : 'value';
    } else if (next === 'colon') {
      if (!scanner.take(COLON)) return scanner.at;
      next = 'value';
    } else if (next === 'key' || next === 'first key') {
      if (!scanner.string()) return scanner.at;
      next = 'colon';
    } else if (scanner.take(OPEN_OBJECT)) {
      open.push(CLOSE_OBJECT);
      next = 'first key';
    } else if (scanner.take(OPEN_LIST)) {
      open.push(CLOSE_LIST);
      next = 'first value';
    } else {
      if (!scanner.scalar()) return scanner.at;
      next = afterValue();
    }
  }
  return bytes.length;
}

const mayEnd: ReadonlySet<Next> = new Set(['first value', 'first key', 'comma']);

/**
 * Methods that consume a token return false if it is not there. `at` is then the offset of the
 * wrong character.
 */
class Scanner {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  space(): void {
    this.at = skipSpace(this.#bytes, this.at);
  }

  take(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  scalar(): boolean {
    if (this.#bytes[this.at] === QUOTE) return this.string();
    if (this.#isAt(numberStart)) return this.#number();
    const word = words.find(([first]) => first === this.#bytes[this.at]);
    return word?.every((byte) => this.take(byte)) ?? false;
  }

  string(): boolean {
    if (!this.take(QUOTE)) return false;
    while (!this.take(QUOTE)) {
      if (this.take(BACKSLASH)) {
        if (!this.#escape()) return false;
      } else if (this.at >= this.#bytes.length || this.#bytes[this.at]! < SPACE) return false;
      else this.at++;
    }
    return true;
  }

  #escape(): boolean {
    if (!this.take(SMALL_U)) return this.#one(escapes);
    return [1, 2, 3, 4].every(() => this.#one(hexDigits));
  }

  #number(): boolean {
    this.take(MINUS);
    if (!this.take(ZERO) && !this.#digits()) return false;
    if (this.take(POINT) && !this.#digits()) return false;
    if (!this.#one(exponent)) return true;
    this.#one(sign);
    return this.#digits();
  }

  #digits(): boolean {
    const start = this.at;
    while (this.#isAt(digits)) this.at++;
    return this.at > start;
  }

  #one(bytes: ReadonlySet<number>): boolean {
    if (!this.#isAt(bytes)) return false;
    this.at++;
    return true;
  }

  #isAt(bytes: ReadonlySet<number>): boolean {
    return this.at < this.#bytes.length && bytes.has(this.#bytes[this.at]!);
  }
}

function bytesOf(text: string): ReadonlySet<number> {
  return new Set(Buffer.from(text));
}

const words = ['true', 'false', 'null'].map((word) => [...Buffer.from(word)]);
const digits = bytesOf('0123456789');
const numberStart = bytesOf('-0123456789');
const hexDigits = bytesOf('0123456789abcdefABCDEF');
const escapes = bytesOf('"\\/bfnrt');
const exponent = bytesOf('eE');
const sign = bytesOf('+-');
const SPACE = 0x20;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const SMALL_U = 0x75;
