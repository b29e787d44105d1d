import type { Header } from './message.ts';

/**
 * A head as the front takes it. Bytes are cheaper to hand over than a string, which is measured, allocated for and
 * converted on the way, and dearer to make: so they are made of what is sent again.
 */
export type Head = string | ArrayBuffer;

/** Headers in the form in which they are sent, found to be safe. */
export interface FormattedHeaders {
  /** A head that has them behind `before`. Good until the next head is made. */
  after(before: string): Head;
}

/** Headers that are formatted once for many replies: of what is kept in memory, as long as it is kept. */
export class HeaderLines implements FormattedHeaders {
  readonly #lines: string;
  /** The last head that was asked for: heads begin the same way almost always. */
  #before: string | undefined;
  #whole: Head = '';

  /** Throws on a value with a line end or NUL in it. */
  constructor(headers: readonly Header[]) {
    this.#lines = formatLines(headers);
  }

  after(before: string): Head {
    if (before !== this.#before) {
      this.#before = before;
      this.#whole = before + this.#lines;
    } else if (typeof this.#whole === 'string') this.#whole = headBytes(this.#whole);
    return this.#whole;
  }
}

/** Texts of up to so many characters get their heads as bytes. */
const MAX_TEXT = 256;
/** Lengths of texts for which bytes are kept. */
const KEPT_LENGTHS = 64;

/** Header lines that differ in nothing but one text, which may stand in several places of their values. */
export class HeaderTemplate {
  /** What stands before, between and after those places. */
  readonly #pieces: readonly string[];
  /** By the length of the text: for the last beginning of a head, since they are mostly the same. */
  readonly #forms = new Map<number, HeadForm>();
  #before: string | undefined;

  /** `headers` makes the headers for a text. */
  constructor(headers: (text: string) => readonly Header[]) {
    this.#pieces = formatLines(headers(PLACE)).split(PLACE);
  }

  /** Throws on a text with a line end or NUL in it. */
  fill(text: string): FormattedHeaders {
    if (isUnsafe(text)) throw new Error('A header is to get a value with a line end or NUL in it.');
    return { after: (before) => this.#after(before, text) };
  }

  #after(before: string, text: string): Head {
    if (before !== this.#before) {
      this.#before = before;
      this.#forms.clear();
    }
    const head = text.length > MAX_TEXT ? undefined : this.#form(before, text.length).fill(text);
    return head ?? before + this.#pieces.join(text);
  }

  #form(before: string, length: number): HeadForm {
    let form = this.#forms.get(length);
    if (form === undefined) {
      if (this.#forms.size === KEPT_LENGTHS) this.#forms.clear();
      form = new HeadForm([before + this.#pieces[0]!, ...this.#pieces.slice(1)], length);
      this.#forms.set(length, form);
    }
    return form;
  }
}

/** The bytes of a head but for one text of a given length, which is written to its places again and again. */
class HeadForm {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Where the text stands. */
  readonly #places: readonly number[];

  constructor(pieces: readonly string[], length: number) {
    this.#bytes = new Uint8Array(headBytes(pieces.join(' '.repeat(length))));
    const places: number[] = [];
    let end = 0;
    for (const piece of pieces.slice(0, -1)) {
      places.push(end + Buffer.byteLength(piece));
      end = places.at(-1)! + length;
    }
    this.#places = places;
  }

  /** Undefined for a text that is not ASCII, and so takes more bytes. The result is good until the next. */
  fill(text: string): ArrayBuffer | undefined {
    const bytes = this.#bytes;
    const first = this.#places[0] ?? 0;
    if (this.#places.length > 0 && !writeAscii(bytes, text, first)) return undefined;
    for (let i = 1; i < this.#places.length; i++) {
      bytes.copyWithin(this.#places[i]!, first, first + text.length);
    }
    return bytes.buffer;
  }
}

/** Whether the text was ASCII, so that all of it was written. */
function writeAscii(bytes: Uint8Array, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at + i] = code;
  }
  return true;
}

/** What no header has in it. A character of one byte, since strings with wider ones are slower to send. */
const PLACE = '\u0001';

/** A head as bytes. */
export function headBytes(head: string): ArrayBuffer {
  const bytes = new ArrayBuffer(Buffer.byteLength(head));
  Buffer.from(bytes).write(head);
  return bytes;
}

/** Each line begins with CR and LF, and none ends with them. */
export function formatLines(headers: readonly Header[]): string {
  let text = '';
  for (const [name, value] of headers) {
    if (isUnsafe(value)) throw new Error(`Header ${name} has a value with a line end or NUL in it.`);
    text += `\r\n${name}: ${value}`;
  }
  return text;
}

/**
 * Whether a value has in it what would end a header line, and let the rest pass for more headers or for a body. Three
 * searches for one character each are several times faster than a regular expression.
 */
function isUnsafe(value: string): boolean {
  return value.includes('\r') || value.includes('\n') || value.includes('\0');
}
