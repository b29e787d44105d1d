import type { ResultWriter } from '../evaluate/result-writer.ts';
import type { ValueReader } from './value-reader.ts';

/** What distinguishes CSV and TSV. */
export interface TableForm {
  readonly comma: string;
  readonly rowEnd: string;
  /** Whether a cell with special characters is in quotes; otherwise these are escaped. */
  readonly quotes: boolean;
  readonly headerCell: (name: string) => string;
}

/** RFC 4180. */
export const csv: TableForm = {
  comma: ',',
  rowEnd: '\r\n',
  quotes: true,
  headerCell: (name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name),
};

const tsvEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** Backslash, tab and the two line ends are `\\`, `\t`, `\n` and `\r`. */
export const tsv: TableForm = {
  comma: '\t',
  rowEnd: '\n',
  quotes: false,
  headerCell: (name) => name.replace(/[\\\t\n\r]/g, (character) => tsvEscapes[character]!),
};

/** What a byte of a text means: nothing special, a comma, an escape of JSON, the separator. */
const PLAIN = 0;
const COMMA = 1;
const ESCAPE = 2;
const SEPARATOR = 3;
/** Up to this many bytes, one pass that copies each byte takes less time than a test and a copy. */
const SHORT = 64;

/** Writes the values of a cell. */
export class CellWriter {
  readonly #form: TableForm;
  /** By byte. */
  readonly #meanings = new Uint8Array(256);
  /** Whether a backslash protects the separator, and itself. */
  readonly #protects: boolean;
  #start = 0;
  #needsQuotes = false;

  /** `separator`: between values, if there may be several. */
  constructor(form: TableForm, separator?: string) {
    this.#form = form;
    this.#protects = separator !== undefined || !form.quotes;
    if (form.quotes) this.#meanings[form.comma.charCodeAt(0)] = COMMA;
    this.#meanings[BACKSLASH] = ESCAPE;
    if (separator !== undefined) this.#meanings[separator.charCodeAt(0)] = SEPARATOR;
  }

  begin(out: ResultWriter): void {
    this.#start = out.length;
    this.#needsQuotes = false;
  }

  /** Writes the value that was read last. */
  write(reader: ValueReader, out: ResultWriter): void {
    if (!this.#writePlain(reader, out)) this.#writeSpecial(reader, out);
  }

  /** Copies a short text; returns false at the first byte that is special. */
  #writePlain({ bytes, from, to }: ValueReader, out: ResultWriter): boolean {
    const count = to - from;
    if (count > SHORT) return false;
    out.reserve(count);
    const { bytes: target, length } = out;
    const meanings = this.#meanings;
    for (let i = 0; i < count; i++) {
      const byte = bytes[from + i]!;
      if (meanings[byte] !== PLAIN) return false;
      target[length + i] = byte;
    }
    out.length = length + count;
    return true;
  }

  #writeSpecial(reader: ValueReader, out: ResultWriter): void {
    const { bytes, to } = reader;
    const meanings = this.#meanings;
    let from = reader.from;
    for (let at = from; at < to; at++) {
      const meaning = meanings[bytes[at]!];
      if (meaning === PLAIN) continue;
      if (meaning === COMMA) {
        this.#needsQuotes = true;
        continue;
      }
      out.copy(bytes, from, at);
      if (meaning === SEPARATOR) {
        out.byte(BACKSLASH);
        from = at;
      } else {
        from = this.#writeEscaped(bytes, at, out);
        at = from - 1;
      }
    }
    out.copy(bytes, from, to);
  }

  end(out: ResultWriter): void {
    const { quotes } = this.#form;
    const isEmpty = out.length === this.#start;
    // An empty text differs from no value.
    if (quotes && (this.#needsQuotes || isEmpty || this.#hasComma(out))) this.#quote(out);
  }

  /** Ends a cell whose values have been written without this writer, and contain no quotes. */
  endStored(hasComma: boolean, out: ResultWriter): void {
    this.#needsQuotes = hasComma;
    this.end(out);
  }

  /** A separator may be the comma. */
  #hasComma(out: ResultWriter): boolean {
    if (this.#meanings[this.#form.comma.charCodeAt(0)] !== SEPARATOR) return false;
    return out.bytes.subarray(this.#start, out.length).includes(this.#form.comma.charCodeAt(0));
  }

  /** Writes the character for which an escape of JSON stands; returns the position after it. */
  #writeEscaped(bytes: Uint8Array, at: number, out: ResultWriter): number {
    const letter = bytes[at + 1]!;
    if (letter === LETTER_U) {
      this.#writeCharacter(hexadecimal(bytes, at + 2), out);
      return at + 6;
    }
    if (letter === BACKSLASH) {
      out.byte(BACKSLASH);
      if (this.#protects) out.byte(BACKSLASH);
    } else if (letter === QUOTE) {
      out.byte(QUOTE);
      if (this.#form.quotes) {
        out.byte(QUOTE);
        this.#needsQuotes = true;
      }
    } else this.#writeControl(letter, out);
    return at + 2;
  }

  /** `letter`: that of the escape. */
  #writeControl(letter: number, out: ResultWriter): void {
    const character = letters.get(letter)!;
    const endsLine = character === LINE_FEED || character === RETURN;
    if (!this.#form.quotes && (endsLine || character === TAB)) {
      out.byte(BACKSLASH);
      out.byte(letter);
      return;
    }
    if (endsLine) this.#needsQuotes = true;
    out.byte(character);
  }

  #writeCharacter(code: number, out: ResultWriter): void {
    out.text(String.fromCharCode(code).toWellFormed());
  }

  #quote(out: ResultWriter): void {
    out.reserve(2);
    out.bytes.copyWithin(this.#start + 1, this.#start, out.length);
    out.bytes[this.#start] = QUOTE;
    out.length++;
    out.byte(QUOTE);
  }
}

function hexadecimal(bytes: Uint8Array, at: number): number {
  return Number.parseInt(String.fromCharCode(...bytes.subarray(at, at + 4)), 16);
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** The control characters that JSON escapes with a letter, and the slash, which it may escape. */
const letters: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 0x08, t: TAB, n: LINE_FEED, f: 0x0c, r: RETURN, '/': 0x2f }).map(([letter, code]) => [
    letter.charCodeAt(0),
    code,
  ]),
);
