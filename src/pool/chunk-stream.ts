import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type ErrorData, fromErrorData, type Result } from '../errors.ts';
import type { SerializeMessage } from './messages.ts';

/** Chunks that may be on their way to a consumer that has not taken them. */
export const WINDOW = 4;

const left: ErrorData = {
  code: 'cancelled',
  message: 'The rest of the document was not taken in time.',
  details: {},
};

type Document = Result<Uint8Array | AsyncIterable<Uint8Array>>;

/**
 * The near end of a serialisation: chunks come in on a port, a consumer takes them one by one, and each that it
 * took is acknowledged, so that the worker is at most `WINDOW` chunks ahead. A document of one chunk is given
 * whole; a longer one as an iterable, whose end or early leaving ends the job.
 */
export class ChunkStream implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #port: MessagePort;
  readonly #open: (document: Document) => void;
  /** Ends the job: the consumer is gone, or took nothing for `stallMs`. */
  readonly #cancel: () => void;
  readonly #stall: NodeJS.Timeout;
  readonly #chunks: Uint8Array[] = [];
  #opened = false;
  /** The consumer has a chunk whose taking was not acknowledged yet. */
  #unacknowledged = false;
  #end: Result<unknown> | null = null;
  #wake: (() => void) | null = null;

  constructor(port: MessagePort, open: (document: Document) => void, cancel: () => void, stallMs: number) {
    this.#port = port;
    this.#open = open;
    this.#cancel = cancel;
    this.#stall = setTimeout(() => this.#onStall(), stallMs).unref();
    port.on('message', (message: SerializeMessage) => this.#receive(message));
  }

  /** The job has ended; what it posted before may still be in the port. */
  finish(result: Result<unknown>): void {
    for (let entry = receiveMessageOnPort(this.#port); entry; entry = receiveMessageOnPort(this.#port)) {
      this.#receive(entry.message as SerializeMessage);
    }
    this.#end ??= result;
    this.#port.close();
    if (!this.#opened) {
      clearTimeout(this.#stall);
      this.#opened = true;
      this.#open(result.ok ? { ok: true, value: this.#chunks[0] ?? new Uint8Array(0) } : result);
    }
    this.#notify();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#stall.refresh();
    this.#acknowledge();
    while (this.#chunks.length === 0 && !this.#end) await this.#arrival();
    const chunk = this.#chunks.shift();
    if (chunk) {
      this.#unacknowledged = true;
      return { done: false, value: chunk };
    }
    clearTimeout(this.#stall);
    if (this.#end && !this.#end.ok) throw fromErrorData(this.#end.error);
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #receive({ chunk }: SerializeMessage): void {
    this.#chunks.push(chunk);
    if (!this.#opened && this.#chunks.length > 1) {
      this.#opened = true;
      this.#stall.refresh();
      this.#open({ ok: true, value: this });
    }
    this.#notify();
  }

  #acknowledge(): void {
    if (this.#unacknowledged && !this.#end) this.#port.postMessage(1);
    this.#unacknowledged = false;
  }

  /** Nothing was asked for in a long time. Waiting for the worker is no stall, its own deadline ends it. */
  #onStall(): void {
    if (this.#opened && this.#wake === null) this.#leave();
    else this.#stall.refresh();
  }

  /** What is left is thrown away; who asks for it after all must not take the document for complete. */
  #leave(): void {
    clearTimeout(this.#stall);
    this.#chunks.length = 0;
    const ended = this.#end !== null;
    this.#end = { ok: false, error: left };
    if (ended) return;
    this.#port.postMessage(0);
    this.#cancel();
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
