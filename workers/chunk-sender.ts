import type { MessagePort } from 'node:worker_threads';
import { isFree, MARK_BYTES, markUsed } from '../src/pool/chunk-mark.ts';
import type { SerializeAnswer, SerializeMessage } from '../src/pool/messages.ts';
import { Signal } from '../src/signal.ts';
import { cancelledError } from './current-step.ts';

/** Of a chunk's memory: each message costs both threads as much as writing tens of kibibytes. */
const MEMORY_BYTES = 256 * 1024;

/**
 * Memory of documents before, for the next one: new memory is cleared by the system, page by page. The client may still have
 * the last chunks of a document, or never take them, so it is looked at what is free.
 */
const kept: SharedArrayBuffer[] = [];
/** What a client takes as fast as it comes: its window, the chunk that it has, the one that is written. */
const MOST_KEPT = 6;

/** The far end of a serialisation (see `SerializeJob.port`): sends chunks, at most `window` ahead of the client. */
export class ChunkSender {
  readonly #port: MessagePort;
  readonly #window: number;
  /** By number. */
  readonly #memories = new Map<number, SharedArrayBuffer>();
  readonly #numbers = new Map<ArrayBufferLike, number>();
  readonly #free: SharedArrayBuffer[] = [];
  #made = 0;
  #unanswered = 0;
  #stopped = false;
  readonly #change = new Signal();

  constructor(port: MessagePort, window: number) {
    this.#port = port;
    this.#window = window;
    port.on('message', (answer: SerializeAnswer) => this.#receive(answer));
    port.on('close', () => this.#stop());
  }

  /**
   * A chunk at the start of memory from `spare` is not to be touched afterwards, any other one is copied. Waits until
   * another may be sent; throws `cancelled` when nobody wants it.
   */
  async send(chunk: Uint8Array): Promise<void> {
    this.#post(chunk);
    while (this.#unanswered >= this.#window && !this.#stopped) await this.#change.wait();
    if (this.#stopped) throw cancelledError();
  }

  /** Memory that the client shares, for the next chunk. */
  readonly spare = (): Uint8Array => {
    const memory = this.#free.pop() ?? takeKept() ?? new SharedArrayBuffer(MEMORY_BYTES);
    return new Uint8Array(memory, 0, MEMORY_BYTES - MARK_BYTES);
  };

  close(): void {
    this.#port.close();
    kept.push(...this.#memories.values());
    kept.splice(0, kept.length - MOST_KEPT);
  }

  #post(chunk: Uint8Array): void {
    const buffer = sharedBuffer(chunk);
    const message: SerializeMessage = { ...this.#place(buffer), length: chunk.length };
    this.#port.postMessage(message);
    this.#unanswered++;
  }

  /** The memory comes along when it is new to the other side. */
  #place(buffer: SharedArrayBuffer): Pick<SerializeMessage, 'memory' | 'made'> {
    if (buffer.byteLength !== MEMORY_BYTES) return { memory: null, made: buffer };
    const known = this.#numbers.get(buffer);
    markUsed(buffer);
    if (known !== undefined) return { memory: known };
    const memory = this.#made++;
    this.#numbers.set(buffer, memory);
    this.#memories.set(memory, buffer);
    return { memory, made: buffer };
  }

  #receive(answer: SerializeAnswer): void {
    if (answer === null) {
      this.#stop();
      return;
    }
    const { goOn, free, forget } = answer;
    if (goOn) this.#unanswered--;
    if (free !== undefined) this.#free.push(this.#memories.get(free)!);
    if (forget !== undefined) {
      this.#numbers.delete(this.#memories.get(forget)!);
      this.#memories.delete(forget);
    }
    this.#change.notify();
  }

  #stop(): void {
    this.#stopped = true;
    this.#change.notify();
  }
}

function takeKept(): SharedArrayBuffer | undefined {
  const index = kept.findIndex(isFree);
  return index < 0 ? undefined : kept.splice(index, 1)[0];
}

function sharedBuffer(chunk: Uint8Array): SharedArrayBuffer {
  if (chunk.buffer instanceof SharedArrayBuffer) return chunk.buffer;
  const copy = new Uint8Array(new SharedArrayBuffer(chunk.length));
  copy.set(chunk);
  return copy.buffer;
}
