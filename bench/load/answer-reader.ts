/** What is known of an answer when all of it has come. */
export interface Answer {
  readonly status: number;
  /** Bytes of the body, without the framing of chunks. */
  readonly bytes: number;
  /** The body, where it was asked for. */
  readonly body: Buffer | undefined;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** `HTTP/1.1 200` */
const STATUS_AT = 9;

/**
 * Reads consecutive HTTP/1.1 responses from the bytes of a connection. Throws if they are invalid.
 */
export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void;
  /** Whether the body of the next answer is kept. */
  keepBody = false;
  /** Bytes that are not enough to go on with. */
  #held: Buffer | undefined;
  #status = 0;
  /** Bytes left of the body or chunk; undefined while a head or a chunk size is expected. */
  #left: number | undefined;
  #chunked = false;
  #bytes = 0;
  #kept: Buffer[] = [];

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer;
  }

  /** The bytes are not used after the call. */
  push(received: Buffer): void {
    let bytes = this.#held ? Buffer.concat([this.#held, received]) : received;
    this.#held = undefined;
    while (bytes.length > 0) {
      const used = this.#left === undefined ? this.#readFrame(bytes) : this.#readBody(bytes, this.#left);
      if (used === 0) {
        this.#held = Buffer.from(bytes);
        return;
      }
      bytes = bytes.subarray(used);
    }
  }

  /** 0 when more bytes are needed. */
  #readFrame(bytes: Buffer): number {
    return this.#chunked ? this.#readChunkSize(bytes) : this.#readHead(bytes);
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return 0;
    const head = bytes.toString('latin1', 0, end);
    this.#status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
    if (!head.startsWith('HTTP/1.1 ') || !(this.#status >= 100))
      throw new Error('This is no answer of HTTP/1.1.');
    const used = end + HEAD_END.length;
    if (this.#status < 200) return used;
    this.#bytes = 0;
    this.#chunked = /\r\ntransfer-encoding:[^\r]*chunked/i.test(head);
    if (this.#chunked) return used;
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#status === 204 || this.#status === 304) this.#left = 0;
    if (this.#left === 0) this.#finish();
    return used;
  }

  /** The empty line after a chunk's bytes is taken with the size that follows. */
  #readChunkSize(bytes: Buffer): number {
    const from = bytes[0] === 0x0d ? 2 : 0;
    const end = bytes.indexOf('\r\n', from);
    if (end < 0) return 0;
    const size = Number.parseInt(bytes.toString('latin1', from, end), 16);
    if (Number.isNaN(size)) throw new Error('This is no size of a chunk.');
    if (size > 0) {
      this.#left = size;
      return end + 2;
    }
    const last = bytes.indexOf(HEAD_END, end);
    if (last < 0) return 0;
    this.#finish();
    return last + HEAD_END.length;
  }

  #readBody(bytes: Buffer, left: number): number {
    const used = Math.min(left, bytes.length);
    this.#bytes += used;
    if (this.keepBody) this.#kept.push(Buffer.from(bytes.subarray(0, used)));
    this.#left = left - used;
    if (this.#left > 0) return used;
    if (this.#chunked) this.#left = undefined;
    else this.#finish();
    return used;
  }

  #finish(): void {
    const body = this.keepBody ? Buffer.concat(this.#kept) : undefined;
    this.#left = undefined;
    this.#chunked = false;
    this.#kept = [];
    this.#onAnswer({ status: this.#status, bytes: this.#bytes, body });
  }
}
