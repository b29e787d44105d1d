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

/** Header lines that differ in nothing but one text, which may stand in several places of their values. */
export class HeaderTemplate {
  /** What stands before, between and after those places. */
  readonly #pieces: readonly string[];
  /** The same with the beginning of the last head in front. */
  #whole: readonly string[] = [];
  #before: string | undefined;

  /** `headers` makes the headers for a text. */
  constructor(headers: (text: string) => readonly Header[]) {
    this.#pieces = formatLines(headers(PLACE)).split(PLACE);
  }

  /** Throws on a text with a line end or NUL in it. */
  fill(text: string): FormattedHeaders {
    if (isUnsafe(text)) throw new Error('A header is to get a value with a line end or NUL in it.');
    return { after: (before) => this.#after(before).join(text) };
  }

  #after(before: string): readonly string[] {
    if (before !== this.#before) {
      this.#before = before;
      this.#whole = this.#pieces.with(0, before + this.#pieces[0]!);
    }
    return this.#whole;
  }
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
