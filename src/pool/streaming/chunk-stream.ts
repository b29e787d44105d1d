import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ByteBudget } from '../../base/byte-budget.ts';
import { ConditionVariable } from '../../base/condition-variable.ts';
import { type ErrorData, fromErrorData, type Result } from '../../errors.ts';
import type { ChunkReceipt, SerializeMessage } from '../messages.ts';
import { markFree } from './chunk-mark.ts';

/**
 * Chunks that may be in transit to a consumer that has not taken them, besides those that
 * `buffered` has room for.
 */
export const WINDOW = 4;

/**
 * How long the worker waits for a consumer while other jobs wait for the thread, in milliseconds.
 */
const PRESSED_MS = 1_000;

/** Interval between checks for a slow consumer, in milliseconds. */
const LOOK_MS = 250;

const left: ErrorData = {
  code: 'cancelled',
  message: 'The client did not read the rest of the document in time.',
  details: {},
};

type Document = Result<Uint8Array | AsyncIterable<Uint8Array>>;

export interface ChunkStreamOptions {
  readonly open: (document: Document) => void;
  /** Ends the job: the consumer has gone, or took nothing in time. */
  readonly cancel: () => void;
  /** Whether other jobs wait for the thread. */
  readonly contended: () => boolean;
  /**
   * Budget for the chunks by which the worker is ahead of the consumer while other jobs wait, so
   * that a slow consumer does not have to occupy the thread. Otherwise the worker is only slightly
   * ahead: buffers that live long cost the main thread full garbage collections.
   */
  readonly buffered: ByteBudget;
  /** How long a consumer may take nothing, in milliseconds. */
  readonly stallMs: number;
}

interface Chunk {
  readonly bytes: Uint8Array;
  readonly memory: number | null;
  /**
   * True if the chunk counts towards `buffered` and the worker has gone on. For other chunks the
   * worker goes on when they are taken.
   */
  isBuffered: boolean;
}

/**
 * The receiving end of a serialisation: chunks arrive on a port, and a consumer takes them one by
 * one. The worker is ahead of the consumer by `WINDOW` chunks, and by as many as `buffered` has
 * room for when other jobs wait for its thread. A document of one chunk is delivered whole. A
 * longer one is an iterable, and the job ends when the iterable ends or the consumer leaves it. A
 * chunk is only valid until the next one is requested.
 */
export class ChunkStream implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #port: MessagePort;
  readonly #options: ChunkStreamOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Chunk[] = [];
  /** The memories that the worker writes into, by number. */
  readonly #memories = new Map<number, Uint8Array>();
  #opened = false;
  /** The chunk that the consumer is using. */
  #taken: Chunk | null = null;
  /** When the consumer last asked for a chunk, or could first have done so, in milliseconds. */
  #asked = performance.now();
  #end: Result<unknown> | null = null;
  readonly #change = new ConditionVariable();

  constructor(port: MessagePort, options: ChunkStreamOptions) {
    this.#port = port;
    this.#options = options;
    this.#timer = setTimeout(() => this.#look(), Math.min(LOOK_MS, options.stallMs)).unref();
    port.on('message', (message: SerializeMessage) => this.#receive(message));
  }

  /** Call it when the job has ended; chunks that it posted before may still be in the port. */
  finish(result: Result<unknown>): void {
    for (let entry = receiveMessageOnPort(this.#port); entry; entry = receiveMessageOnPort(this.#port)) {
      this.#receive(entry.message as SerializeMessage);
    }
    this.#end ??= result;
    this.#port.close();
    if (!this.#opened) {
      clearTimeout(this.#timer);
      this.#opened = true;
      this.#options.open(result.ok ? { ok: true, value: this.#whole() } : result);
    }
    if (!result.ok) this.#drop();
    this.#change.notify();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#asked = performance.now();
    this.#giveBack(true);
    while (this.#chunks.length === 0 && !this.#end) await this.#change.wait();
    const chunk = this.#chunks.shift();
    if (chunk) {
      this.#taken = chunk;
      return { done: false, value: chunk.bytes };
    }
    clearTimeout(this.#timer);
    if (this.#end && !this.#end.ok) throw fromErrorData(this.#end.error);
    return { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #receive({ memory, length, made }: SerializeMessage): void {
    if (this.#end) return;
    const whole = made ? new Uint8Array(made) : this.#memories.get(memory!)!;
    if (made && memory !== null) this.#memories.set(memory, whole);
    const chunk = { bytes: whole.subarray(0, length), memory, isBuffered: false };
    this.#chunks.push(chunk);
    if (this.#options.contended()) this.#hold(chunk);
    if (!this.#opened && this.#chunks.length > 1) {
      this.#opened = true;
      this.#asked = performance.now();
      this.#options.open({ ok: true, value: this });
    }
    this.#change.notify();
  }

  /** Lets the worker go on without waiting for the consumer. Returns false if there is no room. */
  #hold(chunk: Chunk): boolean {
    if (chunk.isBuffered) return true;
    chunk.isBuffered = this.#options.buffered.reserve(chunk.bytes.buffer.byteLength);
    if (chunk.isBuffered) this.#acknowledge({ goOn: true });
    return chunk.isBuffered;
  }

  #acknowledge(receipt: ChunkReceipt): void {
    if (!this.#end) this.#port.postMessage(receipt);
  }

  #whole(): Uint8Array {
    const [only] = this.#chunks;
    this.#drop();
    return new Uint8Array(only?.bytes ?? []);
  }

  /**
   * `done`: the consumer asks for the next chunk. A consumer that was abandoned may still read the
   * chunk that it has.
   */
  #giveBack(done: boolean): void {
    const chunk = this.#taken;
    this.#taken = null;
    if (!chunk) return;
    if (done && chunk.memory !== null) markFree(chunk.bytes.buffer as SharedArrayBuffer);
    if (chunk.isBuffered) this.#options.buffered.release(chunk.bytes.buffer.byteLength);
    this.#acknowledge({ goOn: !chunk.isBuffered, ...this.#dispose(chunk.memory) });
  }

  /**
   * The worker needs memory for a few chunks only: memory beyond that, allocated because of a slow
   * consumer, is not kept.
   */
  #dispose(memory: number | null): { readonly free?: number; readonly forget?: number } {
    if (memory === null) return {};
    if (this.#chunks.length < WINDOW) return { free: memory };
    this.#memories.delete(memory);
    return { forget: memory };
  }

  /**
   * Checks whether the consumer is asking for chunks. Waiting for the worker is not a stall: the
   * job's own deadline ends that.
   */
  #look(): void {
    const idleMs = performance.now() - this.#asked;
    const contended = this.#end === null && this.#options.contended();
    const blocks = contended && !this.#chunks.every((chunk) => this.#hold(chunk));
    const mayIdleMs = blocks ? PRESSED_MS : this.#options.stallMs;
    if (this.#opened && !this.#change.awaited && idleMs >= mayIdleMs) this.#leave();
    else this.#timer.refresh();
  }

  /**
   * Discards the remaining chunks. A consumer that still asks for one gets an error, so that it
   * does not mistake the document for complete.
   */
  #leave(): void {
    clearTimeout(this.#timer);
    const ended = this.#end !== null;
    this.#end = { ok: false, error: left };
    this.#drop();
    if (ended) return;
    this.#port.postMessage(null);
    this.#options.cancel();
  }

  #drop(): void {
    this.#giveBack(false);
    for (const { bytes, isBuffered } of this.#chunks)
      if (isBuffered) this.#options.buffered.release(bytes.buffer.byteLength);
    this.#chunks.length = 0;
  }
}
