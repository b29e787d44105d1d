/** The place of an error in a file. */
export interface OffendingLine {
  /** What is shown of the line: not all of it, if it is long. */
  readonly text: string;
  /** Offset of the error in the text. */
  readonly at: number;
  /** Whether the line has more before and after the text. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

interface Position {
  /** From 1. Lines end with LF, CR or CR LF. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** UTF-16 code units that are shown on either side of the error. */
const SHOWN = 80;
const LF = 0x0a;
const CR = 0x0d;

/** Reads a file, compressed or not, up to the end of one line; it is never in memory as a whole. */
export async function readOffendingLine(
  file: Blob,
  isGzip: boolean,
  position: Position,
): Promise<OffendingLine> {
  const bytes = isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = bytes.getReader();
  const lines = new LineCounter(position.line);
  const excerpt = new Excerpt(position.column);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return excerpt.end(false);
    const { part, isEnd } = lines.partOf(value);
    excerpt.add(part);
    if (isEnd || excerpt.isFull) {
      await reader.cancel();
      return excerpt.end(!isEnd);
    }
  }
}

/** Finds the bytes of one line. */
class LineCounter {
  #left: number;
  #isAfterCr = false;

  constructor(line: number) {
    this.#left = line - 1;
  }

  /** Returns the part of the bytes that belongs to the line, and whether the line ends there. */
  partOf(bytes: Uint8Array): { part: Uint8Array; isEnd: boolean } {
    let from = this.#left > 0 ? bytes.length : 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      const isSecondOfPair = byte === LF && this.#isAfterCr;
      this.#isAfterCr = byte === CR;
      if (isSecondOfPair) {
        if (this.#left === 0 && from === at) from = at + 1;
        continue;
      }
      if (byte !== LF && byte !== CR) continue;
      if (this.#left === 0) return { part: bytes.subarray(from, at), isEnd: true };
      this.#left--;
      if (this.#left === 0) from = at + 1;
    }
    return { part: bytes.subarray(from), isEnd: false };
  }
}

/** Keeps what is shown of a line, which may be as long as the file. */
class Excerpt {
  readonly #decoder = new TextDecoder();
  readonly #column: number;
  #text = '';
  /** Units of the line before `#text`. */
  #skipped = 0;

  constructor(column: number) {
    this.#column = column;
  }

  get isFull(): boolean {
    return this.#skipped + this.#text.length > this.#column + SHOWN;
  }

  add(bytes: Uint8Array): void {
    this.#append(this.#decoder.decode(bytes, { stream: true }));
  }

  end(hasMore: boolean): OffendingLine {
    if (!hasMore) this.#append(this.#decoder.decode());
    const at = Math.min(this.#column - 1 - this.#skipped, this.#text.length);
    const text = this.#text.slice(0, at + SHOWN);
    const isCutAfter = hasMore || text.length < this.#text.length;
    return { text, at, isCutBefore: this.#skipped > 0, isCutAfter };
  }

  #append(text: string): void {
    this.#text += text;
    const surplus = this.#column - 1 - SHOWN - this.#skipped;
    if (surplus <= 0) return;
    const dropped = Math.min(surplus, this.#text.length);
    this.#text = this.#text.slice(dropped);
    this.#skipped += dropped;
  }
}
