import type { Header } from './header.ts';

/**
 * A head in a form that fronts accept, as text or UTF-8. For uWebSockets.js, bytes are cheaper to
 * hand over than a string, which must be measured, allocated and converted, but they cost more to
 * make. So bytes are made only for heads that are sent repeatedly.
 */
export type ResponseHead = string | ArrayBuffer;

/** Headers that are checked and in the form in which they are sent. */
export interface FormattedHeaders {
  /**
   * Returns a head that consists of `before` and these headers. It is valid until the next head is
   * made.
   */
  after(before: string): ResponseHead;
}

/**
 * Headers that are formatted once for many responses. Used for data kept in memory, for as long as
 * that is kept.
 */
export class HeaderLines implements FormattedHeaders {
  readonly #lines: string;
  /** The last head that was made: nearly all heads begin the same way. */
  #before: string | undefined;
  #whole: ResponseHead = '';

  /** Throws on a value that contains a line end or NUL. */
  constructor(headers: readonly Header[]) {
    this.#lines = formatLines(headers);
  }

  after(before: string): ResponseHead {
    if (before !== this.#before) {
      this.#before = before;
      this.#whole = before + this.#lines;
    } else if (typeof this.#whole === 'string') this.#whole = headBytes(this.#whole);
    return this.#whole;
  }
}

/** Heads are made as bytes for texts of up to this many characters. */
const MAX_TEXT = 256;
/** Number of text lengths for which bytes are kept. */
const KEPT_LENGTHS = 64;

/** Header lines that differ only in one text, which may occur several times in their values. */
export class HeaderTemplate {
  /** The parts before, between and after the occurrences of the text. */
  readonly #pieces: readonly string[];
  /**
   * Forms by the length of the text. They are kept only for the latest beginning of a head, since
   * nearly all heads begin alike.
   */
  readonly #forms = new Map<number, ResponseHeadForm>();
  #before: string | undefined;

  /** `headers` returns the headers for a text. */
  constructor(headers: (text: string) => readonly Header[]) {
    this.#pieces = formatLines(headers(PLACE)).split(PLACE);
  }

  /** Throws on a text that contains a line end or NUL. */
  fill(text: string): FormattedHeaders {
    if (isUnsafe(text)) throw new Error('A header value must not contain a line end or NUL.');
    return { after: (before) => this.#after(before, text) };
  }

  #after(before: string, text: string): ResponseHead {
    if (before !== this.#before) {
      this.#before = before;
      this.#forms.clear();
    }
    const head = text.length > MAX_TEXT ? undefined : this.#form(before, text.length).fill(text);
    return head ?? before + this.#pieces.join(text);
  }

  #form(before: string, length: number): ResponseHeadForm {
    let form = this.#forms.get(length);
    if (form === undefined) {
      if (this.#forms.size === KEPT_LENGTHS) this.#forms.clear();
      form = new ResponseHeadForm([before + this.#pieces[0]!, ...this.#pieces.slice(1)], length);
      this.#forms.set(length, form);
    }
    return form;
  }
}

/** The bytes of a head with a text of a given length, which is overwritten for each response. */
class ResponseHeadForm {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Offsets of the text. */
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

  /**
   * Returns undefined if the text is not ASCII and so needs more bytes. The result is valid until
   * the next call.
   */
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

/** Returns whether the text is ASCII, so that all of it was written. */
function writeAscii(bytes: Uint8Array, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at + i] = code;
  }
  return true;
}

/**
 * A character that no header contains. It needs one byte, because strings with wider characters are
 * slower to send.
 */
const PLACE = '\u0001';

/** Returns a head as bytes. */
export function headBytes(head: string): ArrayBuffer {
  const bytes = new ArrayBuffer(Buffer.byteLength(head));
  Buffer.from(bytes).write(head);
  return bytes;
}

/** Formats headers. Each line begins with CR LF, and the text does not end with them. */
export function formatLines(headers: readonly Header[]): string {
  let text = '';
  for (const [name, value] of headers) {
    if (isUnsafe(value)) throw new Error(`The value of header ${name} contains a line end or NUL.`);
    text += `\r\n${name}: ${value}`;
  }
  return text;
}

/**
 * Whether a value contains a character that would end its header line, so that the rest could be
 * read as more headers or a body. Three searches for one character are several times faster than a
 * regular expression.
 */
function isUnsafe(value: string): boolean {
  return value.includes('\r') || value.includes('\n') || value.includes('\0');
}
