import { parseError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import {
  BACKSLASH,
  CANONICAL_ESCAPE,
  CARET,
  CLOSE_PARENTHESIS,
  COLON,
  CR,
  classes,
  DASH,
  DOT,
  GREATER,
  HASH,
  IRI,
  isSpecialDatatype,
  LABEL,
  LESS,
  LETTER,
  LF,
  LOWER_L,
  LOWER_R,
  LOWER_T,
  OPEN_PARENTHESIS,
  PLAIN,
  QUOTE,
  SPACE,
  STRING,
  TAB,
  TAG,
} from './syntax-bytes.ts';

/** Skips the parts of N-Quads lines, and checks their syntax. */
export class NQuadsLexer {
  /** Number of line ends that were skipped. */
  lines = 0;
  protected bytes: Uint8Array = new Uint8Array(0);
  protected at = 0;
  /** True if the term that was skipped last may not be canonical. */
  protected unusual = false;
  /** Offset of the bracket that opens the IRI that was skipped last. */
  protected iriStart = 0;
  /** True if that IRI is correct where its scheme and authority are. */
  protected plainIri = false;

  /** Skips an IRI in angle brackets. */
  protected skipIri(): void {
    const bytes = this.bytes;
    const start = this.at;
    let at = start;
    do at++;
    while ((classes[bytes[at]!]! & PLAIN) !== 0);
    if (bytes[at] === HASH) {
      do at++;
      while ((classes[bytes[at]!]! & PLAIN) !== 0);
    }
    this.iriStart = start;
    this.plainIri = bytes[at] === GREATER;
    if (!this.plainIri) at = this.#skipRestOfIri(at);
    this.at = at + 1;
  }

  /** Skips any characters of an IRI; returns the offset of the bracket that closes it. */
  #skipRestOfIri(from: number): number {
    const bytes = this.bytes;
    let at = from;
    for (;;) {
      while ((classes[bytes[at]!]! & IRI) !== 0) at++;
      if (bytes[at] !== BACKSLASH) break;
      this.unusual = true;
      at++;
    }
    if (bytes[at] === GREATER) return at;
    const isTripleTerm = at === this.iriStart + 1 && bytes[at] === LESS;
    return this.failAt(
      at,
      isTripleTerm ? 'A triple term can only be an object' : 'Unexpected character in an IRI',
    );
  }

  protected skipString(): void {
    const bytes = this.bytes;
    let at = this.at + 1;
    while (bytes[at] !== QUOTE) {
      const byte = bytes[at];
      if ((classes[byte!]! & STRING) !== 0) {
        at++;
      } else if (byte === BACKSLASH) {
        if ((classes[bytes[at + 1]!]! & CANONICAL_ESCAPE) === 0) this.unusual = true;
        at += 2;
      } else {
        this.at = at;
        if (byte === undefined || byte === LF || byte === CR) this.fail('Unterminated string');
        this.unusual = true;
        at++;
      }
    }
    this.at = at + 1;
  }

  protected skipLanguage(): void {
    const bytes = this.bytes;
    let at = this.at + 1;
    let wanted = LETTER;
    do {
      const start = at;
      while ((classes[bytes[at]!]! & wanted) !== 0) {
        at++;
      }
      this.at = at;
      if (at === start && wanted === TAG && bytes[at] === DASH) {
        this.#skipDirection();
        return;
      }
      if (at === start || at - start > 8) this.fail('Malformed language tag');
      wanted = TAG;
    } while (bytes[at++] === DASH);
  }

  /** Skips the second dash and the direction. */
  #skipDirection(): void {
    const { bytes } = this;
    const start = ++this.at;
    while ((classes[bytes[this.at]!]! & LETTER) !== 0) this.at++;
    const isLeft = bytes[start] === LOWER_L;
    const isDirection =
      this.at === start + 3 &&
      (isLeft || bytes[start] === LOWER_R) &&
      bytes[start + 1] === LOWER_T &&
      bytes[start + 2] === (isLeft ? LOWER_R : LOWER_L);
    if (!isDirection) this.failAt(start, 'The direction of a text is ltr or rtl');
  }

  /** Whether a triple term begins here. */
  protected get isAtTripleTerm(): boolean {
    return this.bytes[this.at] === LESS && this.bytes[this.at + 1] === LESS;
  }

  /** Skips the brackets that open a triple term, and white space after them. */
  protected openTripleTerm(): void {
    if (this.bytes[this.at + 2] !== OPEN_PARENTHESIS) this.failAt(this.at + 2, 'Expected <<(');
    this.at += 3;
    this.skipSpace();
  }

  /** Skips the brackets that close a triple term, and white space before them. */
  protected closeTripleTerm(): void {
    this.skipSpace();
    const { bytes, at } = this;
    if (bytes[at] !== CLOSE_PARENTHESIS || bytes[at + 1] !== GREATER || bytes[at + 2] !== GREATER) {
      this.fail('Expected )>>');
    }
    this.at += 3;
  }

  protected skipDatatype(): void {
    if (this.bytes[this.at + 1] !== CARET) this.fail('Expected a datatype');
    this.at += 2;
    if (this.bytes[this.at] !== LESS) {
      this.unusual = true;
      this.skipSpace();
    }
    if (this.bytes[this.at] !== LESS) this.fail('Expected a datatype');
    const start = this.at;
    this.skipIri();
    if (isSpecialDatatype(this.bytes, start, this.at)) this.unusual = true;
  }

  protected skipLabel(): void {
    const bytes = this.bytes;
    const start = this.at + 2;
    const first = bytes[start];
    if (bytes[start - 1] !== COLON || (classes[first!]! & LABEL) === 0 || first === DASH || first === DOT) {
      this.fail('Malformed blank node label');
    }
    let at = start;
    while ((classes[bytes[at]!]! & LABEL) !== 0) at++;
    while (bytes[at - 1] === DOT) at--;
    this.at = at;
    if (bytes[at] === COLON) this.fail('Malformed blank node label');
  }

  /** Goes to the next statement, skipping empty lines and comments; returns false at the end. */
  protected skipToStatement(): boolean {
    const bytes = this.bytes;
    for (;;) {
      this.skipSpace();
      const byte = bytes[this.at];
      if (byte === LF || byte === CR) this.#passLineEnd(byte);
      else if (byte === HASH) this.skipComment();
      else return this.at < bytes.length;
    }
  }

  #passLineEnd(byte: number): void {
    this.at++;
    if (byte === LF || this.bytes[this.at] !== LF) this.lines++;
  }

  protected endLine(): void {
    this.skipSpace();
    if (this.bytes[this.at] === HASH) this.skipComment();
    const byte = this.bytes[this.at];
    if (byte !== LF && byte !== CR && byte !== undefined) this.fail('Expected the end of the line');
  }

  protected skipComment(): void {
    const bytes = this.bytes;
    let at = this.at;
    while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
    this.at = at;
  }

  protected skipSpace(): void {
    const bytes = this.bytes;
    let at = this.at;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    this.at = at;
  }

  protected fail(message: string): never {
    return this.failAt(this.at, message);
  }

  protected failAt(offset: number, message: string): never {
    throw parseError(message, positionOfByte(this.bytes, offset));
  }
}
