import type { Frame } from '../../ldpath/shapes/result-shape.ts';
import type { ResultChunk } from './results.ts';

/** Before each document but the first, in the formats whose frame has a `lead`. */
const BETWEEN = Buffer.from(',\n');
const NEWLINE = 0x0a;

/** Puts the frame of a format around documents. */
export async function* framed(
  frame: Frame,
  documents: AsyncIterable<ResultChunk>,
): AsyncGenerator<ResultChunk> {
  yield withoutResults(Buffer.from(frame.head));
  let { lead } = frame;
  for await (const chunk of documents) {
    yield lead > 0 && chunk.bytes.length > 0 ? { ...chunk, bytes: chunk.bytes.subarray(lead) } : chunk;
    if (chunk.bytes.length > 0) lead = 0;
  }
  yield withoutResults(Buffer.from(frame.tail));
}

/**
 * Joins responses of `/ldpath/batch` that have the same frame: its head and its tail come once.
 * `frame`: that of any program in the format, as only the first line of the head differs. Throws an
 * error for a response that is not complete.
 */
export class JoinedResponses {
  readonly #hasHead: boolean;
  readonly #tail: Buffer;
  readonly #between: Uint8Array;
  #headIsWritten = false;
  #hasDocuments = false;

  constructor({ head, tail, lead }: Frame) {
    this.#hasHead = head !== '';
    this.#tail = Buffer.from(tail);
    this.#between = lead > 0 ? BETWEEN : new Uint8Array(0);
  }

  /** Yields the documents of a response, before them the head if it is the first. */
  async *pieces({ body }: Response): AsyncGenerator<Uint8Array> {
    if (!body) throw new Error('The response of the server has no body.');
    let inHead = this.#hasHead;
    let isFirst = true;
    let rest: Uint8Array = new Uint8Array(0);
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (inHead) {
        const end = rest.indexOf(NEWLINE) + 1;
        if (end === 0) continue;
        if (!this.#headIsWritten) yield rest.subarray(0, end);
        this.#headIsWritten = true;
        inHead = false;
        rest = rest.subarray(end);
      }
      const end = rest.length - this.#tail.length;
      if (end <= 0) continue;
      if (isFirst && this.#hasDocuments) yield this.#between;
      isFirst = false;
      this.#hasDocuments = true;
      yield rest.subarray(0, end);
      rest = rest.slice(end);
    }
    if (inHead || !this.#tail.equals(rest)) throw new Error('The response of the server is incomplete.');
  }

  get tail(): Uint8Array {
    return this.#tail;
  }
}

export function withoutResults(bytes: Uint8Array): ResultChunk {
  return { bytes, count: 0, errors: 0 };
}
