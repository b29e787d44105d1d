import type { ResultChunk } from './results.ts';

const NEWLINE = 0x0a;
const CURSOR = Buffer.from('{"cursor":');

/** The last line of a batch (http-api 4.8). */
interface LastLine {
  readonly done: boolean;
  readonly errors: number;
  /** Only for a set: how many members were left out. */
  readonly filtered?: number;
}

/** The lines of a response of `/ldpath/batch`. */
export class ResponseLines {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** Bytes that were read after the last line. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor({ body }: Response) {
    if (!body) throw new Error('The response of the server has no body.');
    this.#chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  /** Reads the first line, which the response for a set begins with (P-27). */
  async head(): Promise<{ readonly total: number | null }> {
    let end = -1;
    while (end < 0) {
      const { value, done } = await this.#chunks.next();
      if (done) throw incomplete();
      this.#rest = joined(this.#rest, value);
      end = this.#rest.indexOf(NEWLINE);
    }
    const first = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return JSON.parse(Buffer.from(first).toString()) as { total: number | null };
  }

  /**
   * Yields whole lines of results without those that have cursors. Throws an error if the last line
   * is missing, or says that the batch was cancelled.
   */
  async *chunks(): AsyncGenerator<ResultChunk> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done) break;
      const bytes = withoutCursors(this.#push(value));
      if (bytes.length > 0) yield { bytes, count: countLines(bytes), errors: 0 };
    }
    // The last line may be together with others if the response came in one piece.
    const lines = withoutCursors(this.#push(new Uint8Array(0)));
    if (lines.length > 0) yield { bytes: lines, count: countLines(lines), errors: 0 };
    const { errors, filtered = 0 } = lastLine(this.#rest);
    yield { bytes: new Uint8Array(0), count: filtered, errors };
  }

  /** Returns whole lines, and keeps the last line in `#rest`: it says how the stream ended. */
  #push(chunk: Uint8Array): Uint8Array {
    const bytes = joined(this.#rest, chunk);
    const end = bytes.at(-1) === NEWLINE ? bytes.length - 2 : bytes.length - 1;
    const lines = bytes.lastIndexOf(NEWLINE, end) + 1;
    this.#rest = bytes.slice(lines);
    return bytes.subarray(0, lines);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  return first.length === 0 ? second : Buffer.concat([first, second]);
}

function withoutCursors(lines: Uint8Array): Uint8Array {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const pieces: Uint8Array[] = [];
  let kept = 0;
  for (let at = bytes.indexOf(CURSOR); at >= 0; at = bytes.indexOf(CURSOR, at + 1)) {
    if (at > 0 && bytes[at - 1] !== NEWLINE) continue;
    pieces.push(bytes.subarray(kept, at));
    kept = bytes.indexOf(NEWLINE, at) + 1;
  }
  return pieces.length === 0 ? lines : Buffer.concat([...pieces, bytes.subarray(kept)]);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function lastLine(line: Uint8Array): LastLine {
  const text = Buffer.from(line).toString();
  const last = text.startsWith('{"done":') ? (JSON.parse(text) as LastLine) : undefined;
  if (last?.done) return last;
  throw last ? new Error('The server cancelled the batch.') : incomplete();
}

function incomplete(): Error {
  return new Error('The response of the server is incomplete.');
}
