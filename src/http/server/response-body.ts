import { ConditionVariable } from '../../base/condition-variable.ts';
import type { ResponseHead } from './header-lines.ts';
import type { BodyStream } from './message.ts';
import type { ResponseHeadPort } from './response-head.ts';

/** The part of a front that receives a body. It must not be used after the end or an abort. */
export interface BodyPort extends ResponseHeadPort {
  /**
   * Returns false if the client does not keep up; the front then buffers the bytes that could not
   * be sent.
   */
  write(chunk: Uint8Array): boolean;
  end(body?: string | Uint8Array, closeConnection?: boolean): unknown;
  /** Ends the response without stating a length. */
  endWithoutBody(): unknown;
  /**
   * Sends as much as the client takes at once; node:http buffers up to one piece beyond that.
   * Returns whether everything was sent, and whether `total` has been reached.
   */
  tryEnd(chunk: string | Uint8Array, total: number): [sent: boolean, done: boolean];
  /** Bytes of the body that `tryEnd` has sent so far, without those that are still buffered. */
  getWriteOffset(): number;
  onWritable(listener: () => boolean): unknown;
  cork(write: () => void): unknown;
  close(): unknown;
}

const PIECE_BYTES = 64 * 1024;
/**
 * The size of a write that probes whether the client has caught up. It is less than any writable
 * socket takes.
 */
const PROBE_BYTES = 1024;

/** A head that is sent with the first bytes of its body. */
export interface HeadToSend {
  readonly lines: ResponseHead;
  /** Whether the connection ends with the response, when the head is sent. */
  isLast(): boolean;
}

/** Writes one long body as fast as the client reads it. */
export class BodyWriter {
  readonly #port: BodyPort;
  readonly #head: HeadToSend | undefined;
  readonly #onBlocked: () => void;
  #started: boolean;
  #aborted = false;
  #sent = 0;
  /** False while the front buffers bytes that the client has not taken. */
  #clear = true;
  readonly #change = new ConditionVariable();

  /**
   * `head`: undefined if it has already been sent. `onBlocked`: called when the client must read
   * before more is written.
   */
  constructor(port: BodyPort, head: HeadToSend | undefined, onBlocked: () => void) {
    this.#port = port;
    this.#head = head;
    this.#onBlocked = onBlocked;
    this.#started = head === undefined;
    port.onWritable(() => this.#onWritable());
  }

  get started(): boolean {
    return this.#started;
  }

  /** Bytes of the body that have been handed over so far. */
  get sent(): number {
    return this.#sent;
  }

  /** The port is no longer usable: writing stops at once, and so does the stream. */
  abort(): void {
    this.#aborted = true;
    this.#change.notify();
  }

  /** Sends chunks as they arrive (chunked transfer coding). */
  async sendStream(stream: BodyStream): Promise<void> {
    for await (const chunk of stream) {
      await this.#sendPieces(chunk);
      if (this.#aborted) return;
    }
    if (this.#aborted) return;
    this.#corked(() => {
      this.#port.end();
    });
  }

  /** Sends a stream of `total` bytes. Throws if the stream is shorter or longer. */
  async sendSized(stream: BodyStream | readonly [Uint8Array], total: number): Promise<void> {
    for await (const chunk of stream) {
      // A client would read the rest as the next response.
      if (this.#sent + chunk.length > total) throw new Error(`A body of ${total} bytes is longer.`);
      if (await this.#sendPart(chunk, total)) return;
    }
    if (!this.#aborted) throw new Error(`A body of ${total} bytes ended early.`);
  }

  async #sendPieces(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0 && !this.#aborted) {
      const piece = rest.subarray(0, this.#clear ? PIECE_BYTES : PROBE_BYTES);
      rest = rest.subarray(piece.length);
      this.#corked(() => {
        this.#clear = this.#port.write(piece);
      });
      this.#sent += piece.length;
      if (!this.#clear) await this.#writable();
    }
  }

  /** Returns true if there is nothing more to send. */
  async #sendPart(chunk: Uint8Array, total: number): Promise<boolean> {
    let rest = chunk;
    while (rest.length > 0 && !this.#aborted) {
      const [sent, done, offset] = this.#tryEnd(rest, total);
      if (done) this.#sent = total;
      else if (!this.#aborted) this.#sent = this.#port.getWriteOffset();
      if (done) return true;
      if (sent) return false;
      await this.#writable();
      if (this.#aborted) return true;
      // What was buffered has been sent meanwhile, and may have been all.
      const now = this.#port.getWriteOffset();
      this.#sent = now;
      if (now === total) return true;
      rest = rest.subarray(now - offset);
    }
    return this.#aborted;
  }

  #tryEnd(bytes: Uint8Array, total: number): [sent: boolean, done: boolean, offset: number] {
    const offset = this.#port.getWriteOffset();
    let result: [boolean, boolean] = [false, false];
    this.#corked(() => {
      result = this.#port.tryEnd(bytes, total);
    });
    return [...result, offset];
  }

  #corked(write: () => void): void {
    this.#port.cork(() => {
      if (!this.#started) this.#sendHead();
      write();
    });
  }

  #sendHead(): void {
    this.#started = true;
    if (!this.#head) return;
    this.#port.writeStatus(this.#head.lines);
    if (this.#head.isLast()) this.#port.writeHeader('Connection', 'close');
  }

  #writable(): Promise<void> {
    if (this.#aborted) return Promise.resolve();
    this.#onBlocked();
    return this.#change.wait();
  }

  /**
   * An empty cork makes uWebSockets.js send the bytes that it still buffers; it does not do so by
   * itself.
   */
  #onWritable(): boolean {
    this.#port.cork(() => {});
    this.#change.notify();
    return true;
  }
}
