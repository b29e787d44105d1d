import type { ByteBudget } from '../../base/byte-budget.ts';
import { type ErrorCode, type ErrorData, type Failure, failure, type Result } from '../../errors.ts';
import { UploadStream } from './upload-stream.ts';
import type { UploadWatch } from './upload-watch.ts';

/** The flow of a connection's incoming bytes. */
export interface Inflow {
  pause(): unknown;
  resume(): unknown;
  /**
   * Called when the body is wanted: a front that has not sent it by then sends `100 Continue` to
   * clients that wait for it.
   */
  wantBody?(): void;
  /** Whether the client waits for that before it sends the body. */
  readonly awaitsContinue?: boolean;
}

export interface UploadSettings {
  readonly store: ByteBudget;
  readonly watch: UploadWatch;
  /** Maximum time between two chunks. */
  readonly timeoutMs: number;
}

/**
 * How long a rejected body is read and discarded, so that the client sees the error response
 * instead of a broken connection.
 */
const DRAIN_QUIET_MS = 250;
const DRAIN_MAX_MS = 5_000;
/**
 * Bytes read in one turn of the event loop. Without this limit a fast client would occupy every
 * turn until its body is complete.
 */
const TURN_BYTES = 512 * 1024;
const noBytes = new Uint8Array(0);
const FIRST_CAPACITY = 16 * 1024;
/**
 * Smaller bodies are copied to memory that they share: separate memory costs more than the copy.
 */
const SMALL_BYTES = 2 * 1024;
/** After this many bytes, the declared length is trusted and allocated at once. */
const TRUSTED_BYTES = 1024 * 1024;
/** Bytes of a streamed body that are buffered for the reader before the client is paused. */
const STREAM_AHEAD = 512 * 1024;

/**
 * - `waiting`: the body has not been requested; the bytes that arrived with the head are buffered,
 *   and the client is paused
 * - `reading`: bytes are collected for `read`
 * - `streaming`: bytes are passed on to the reader of `stream`
 * - `discarding`: bytes are discarded, because the body was rejected or is not needed
 * - `complete`: the last byte has arrived
 * - `gone`: the client disconnected
 */
type Phase = 'waiting' | 'reading' | 'streaming' | 'discarding' | 'complete' | 'gone';

/** The body of one request while it arrives. */
export class Upload {
  readonly #inflow: Inflow;
  readonly #settings: UploadSettings;
  readonly #declared: number | undefined;
  #phase: Phase = 'waiting';
  #paused = false;
  #watched = false;
  #buffer: Uint8Array<ArrayBuffer> = noBytes;
  #length = 0;
  #maxBytes = 0;
  /** The length at which reading pauses for one turn of the event loop. */
  #turnEnd = TURN_BYTES;
  #lastProgress = 0;
  #drainEnd = 0;
  #settle: ((result: Result<Uint8Array>) => void) | undefined;
  #stream: UploadStream | undefined;
  /** Bytes reserved in addition to those of the body, see `reserve`. */
  #reserved = 0;
  #released = false;
  /** Bytes of the body that have arrived. */
  #received = 0;
  /** Bytes of a streamed body so far. */
  #streamed = 0;
  #drained: (() => void) | undefined;
  /** Why the body is not available. */
  #error: ErrorData | undefined;

  constructor(inflow: Inflow, declared: number | undefined, settings: UploadSettings) {
    this.#inflow = inflow;
    this.#declared = declared;
    this.#settings = settings;
  }

  /** Whether more bytes may arrive. */
  get pending(): boolean {
    return this.#phase !== 'complete' && this.#phase !== 'gone';
  }

  /** The value of `Content-Length`; undefined for a chunked body. */
  get declared(): number | undefined {
    return this.#declared;
  }

  get received(): number {
    return this.#received;
  }

  /** Fails the body with `cancelled`; returns false if all of it has arrived. */
  cancel(): boolean {
    if (!this.pending) return false;
    this.#fail('cancelled', 'The upload was cancelled.');
    return true;
  }

  /** Processes the next bytes. `chunk` is valid only during the call. */
  receive(chunk: ArrayBuffer | Uint8Array, last: boolean): void {
    this.#lastProgress = Date.now();
    this.#received += chunk.byteLength;
    if (this.#phase === 'waiting' || this.#phase === 'reading') this.#take(bytesOf(chunk));
    else if (this.#phase === 'streaming') this.#pass(bytesOf(chunk));
    if (last) this.#finish();
    else if (this.#phase === 'waiting' && !this.#paused) this.#pause();
    else if (this.#phase === 'reading' && this.#length >= this.#turnEnd) this.#restOneTurn();
  }

  /** See `HttpRequest.readBody`. */
  read(maxBytes: number): Promise<Result<Uint8Array>> {
    const error = this.#unavailable(maxBytes);
    if (error) return Promise.resolve({ ok: false, error });
    if (this.#phase === 'complete') return Promise.resolve({ ok: true, value: this.#bytes() });
    this.#phase = 'reading';
    this.#maxBytes = maxBytes;
    this.#lastProgress = Date.now();
    this.#inflow.wantBody?.();
    this.watch();
    this.#resume();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** See `HttpRequest.streamBody`. */
  stream(maxBytes: number): UploadStream {
    const wasComplete = this.#phase === 'complete';
    const stream = new UploadStream(
      this.#settings.store,
      () => this.#resumeStream(),
      () => this.discard(),
    );
    this.#stream = stream;
    const error = this.#unavailable(maxBytes);
    if (error) {
      stream.fail(error);
      return stream;
    }
    this.#maxBytes = maxBytes;
    const first = this.#bytes();
    this.#drop();
    if (wasComplete) {
      if (first.length > 0) stream.push(first);
      stream.end();
      return stream;
    }
    this.#phase = 'streaming';
    this.#lastProgress = Date.now();
    this.#inflow.wantBody?.();
    this.watch();
    if (first.length > 0) this.#pass(first);
    else this.#resume();
    return stream;
  }

  /**
   * Discards the bytes that are still to come. Resolves when they have arrived or the time limit is
   * exceeded.
   */
  drain(): Promise<void> {
    if (!this.pending || this.#inflow.awaitsContinue) return Promise.resolve();
    this.discard();
    this.#lastProgress = Date.now();
    this.watch();
    this.#drainEnd = this.#lastProgress + DRAIN_MAX_MS;
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  discard(): void {
    if (!this.pending) return;
    this.#phase = 'discarding';
    this.#resume();
  }

  /** The client disconnected: no more bytes will arrive. */
  abort(): void {
    if (!this.pending) return;
    this.#fail('cancelled', GONE);
    this.#phase = 'gone';
    this.unwatch();
  }

  /**
   * Reserves memory for bytes that are made of the body, until the exchange is over. Returns false
   * if the server cannot buffer more, or if the exchange is already over.
   */
  reserve(bytes: number): boolean {
    if (this.#released || !this.#settings.store.reserve(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  /** Releases the memory of the body, and of the bytes made of it, when the exchange is over. */
  release(): void {
    this.#released = true;
    this.#settings.store.release(this.#reserved);
    this.#reserved = 0;
    this.unwatch();
    this.#stream?.drop();
    this.#drop();
  }

  /**
   * Keeps uWebSockets.js from closing the connection while the server is the slow side. Whenever a
   * connection is resumed, uWebSockets.js restarts its idle timeout, whether or not a response is
   * pending.
   */
  watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    this.#settings.watch.add(this);
  }

  /** Leaves the idle timeout to uWebSockets.js, because the client is the slow side. */
  unwatch(): void {
    if (!this.#watched) return;
    this.#watched = false;
    this.#settings.watch.remove(this);
  }

  /** Called by the watch. `refresh`: whether to restart the idle timeout of uWebSockets.js. */
  check(now: number, refresh: boolean): void {
    const quiet = now - this.#lastProgress;
    if (this.#drained) {
      if (quiet >= DRAIN_QUIET_MS || now >= this.#drainEnd) this.#endDrain();
    } else if (this.#paused) {
      // The reader of the stream is slow, not the client.
      this.#lastProgress = now;
    } else if (this.#isWanted && quiet >= this.#settings.timeoutMs) {
      this.#fail('body-timeout', `No byte of the body arrived for ${this.#settings.timeoutMs / 1000} s.`);
    } else if (refresh) {
      this.#inflow.pause();
      this.#inflow.resume();
    }
  }

  /** Whether a handler waits for the next bytes. */
  get #isWanted(): boolean {
    return this.#phase === 'reading' || this.#phase === 'streaming';
  }

  #take(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#phase === 'reading' && length > this.#maxBytes) {
      this.#fail('too-large', tooLarge(this.#maxBytes));
    } else if (!this.#settings.store.reserve(chunk.length)) {
      this.#fail('overloaded', OVERLOADED);
    } else {
      if (length === this.#declared && length === chunk.length && length < SMALL_BYTES) {
        this.#buffer = pooledCopy(chunk);
      } else {
        this.#ensureCapacity(length);
        this.#buffer.set(chunk, this.#length);
      }
      this.#length = length;
    }
  }

  #restOneTurn(): void {
    this.#turnEnd = this.#length + TURN_BYTES;
    if (this.#paused) return;
    this.#pause();
    setImmediate(() => {
      if (this.#phase === 'reading') this.#resume();
    });
  }

  #pass(chunk: Uint8Array): void {
    const stream = this.#stream!;
    this.#streamed += chunk.length;
    if (this.#streamed > this.#maxBytes) this.#fail('too-large', tooLarge(this.#maxBytes));
    else if (!stream.push(chunk)) this.#fail('overloaded', OVERLOADED);
    else if (stream.bytes >= STREAM_AHEAD && !this.#paused) this.#pause();
  }

  #resumeStream(): void {
    this.#lastProgress = Date.now();
    if (this.#phase === 'streaming') this.#resume();
  }

  /** Returns why a requested body is not available. */
  #unavailable(maxBytes: number): ErrorData | undefined {
    const known = this.#declared ?? this.#length;
    if (known > maxBytes) return this.#reject('too-large', tooLarge(maxBytes)).error;
    if (this.#phase === 'gone') return this.#reject('cancelled', GONE).error;
    if (this.#phase === 'discarding') return this.#error ?? this.#reject('overloaded', OVERLOADED).error;
    return undefined;
  }

  /**
   * Doubles the buffer until `TRUSTED_BYTES` have arrived, then allocates the declared length, so
   * that little is copied. The allocation only reserves addresses: the system provides memory for
   * the bytes that arrive. The buffer is not cleared, so memory of an earlier body can be reused as
   * it is. Getting fresh pages for a body takes three times as long as copying it, and a fast
   * client delays all others meanwhile.
   */
  #ensureCapacity(needed: number): void {
    const { length } = this.#buffer;
    if (needed <= length) return;
    const doubled = Math.max(length * 2, FIRST_CAPACITY);
    const promised = this.#declared ?? doubled;
    const wanted = length < TRUSTED_BYTES ? Math.min(doubled, promised) : promised;
    const larger = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(needed, wanted)).buffer);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }

  #finish(): void {
    const settle = this.#settle;
    this.#phase = 'complete';
    this.#stream?.end();
    this.#flowOn();
    this.#endDrain();
    if (settle) {
      this.#settle = undefined;
      settle({ ok: true, value: this.#bytes() });
    }
  }

  /**
   * Resumes a paused connection at once; otherwise a disconnect of the client would go unnoticed.
   * uWebSockets.js stops its idle timeout at the last byte, but resuming restarts it, so the watch
   * stays until the response has been sent.
   */
  #flowOn(): void {
    if (!this.#paused) {
      this.unwatch();
      return;
    }
    this.#resume();
    this.watch();
  }

  /** Returns exactly the bytes that have arrived. */
  #bytes(): Uint8Array {
    if (this.#length !== this.#buffer.length) this.#buffer = this.#buffer.slice(0, this.#length);
    return this.#length === 0 ? new Uint8Array(0) : this.#buffer;
  }

  #fail(code: ErrorCode, message: string): void {
    this.#drop();
    const result = this.#reject(code, message);
    this.#error = result.error;
    this.#settle?.(result);
    this.#settle = undefined;
    this.#stream?.fail(result.error);
    this.#endDrain();
  }

  #drop(): void {
    this.#settings.store.release(this.#length);
    this.#length = 0;
    this.#buffer = noBytes;
  }

  #reject(code: ErrorCode, message: string): Failure {
    if (this.pending) this.#phase = 'discarding';
    const details = code === 'overloaded' ? { retryAfter: 1 } : {};
    return failure(code, message, details);
  }

  #endDrain(): void {
    this.#drained?.();
    this.#drained = undefined;
  }

  #pause(): void {
    this.#paused = true;
    this.#inflow.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#inflow.resume();
  }
}

function bytesOf(chunk: ArrayBuffer | Uint8Array): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk);
}

/**
 * Returns a `Uint8Array` and not a `Buffer`, whose `slice` does not copy: readers of a body treat
 * it as an array of their own.
 */
function pooledCopy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = Buffer.from(bytes);
  return new Uint8Array(buffer, byteOffset, length);
}

const GONE = 'The client disconnected.';
const OVERLOADED = 'The server cannot buffer more request bodies.';

function tooLarge(maxBytes: number): string {
  return `The body must not exceed ${maxBytes} bytes.`;
}
