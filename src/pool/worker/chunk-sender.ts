import type { MessagePort } from 'node:worker_threads';
import { ConditionVariable } from '../../base/condition-variable.ts';
import type { ChunkReceipt, SerializeMessage } from '../messages.ts';
import { isFree, MARK_BYTES, markUsed } from '../streaming/chunk-mark.ts';
import { cancelledError } from './current-step.ts';

/**
 * Size of a chunk's memory: each message costs both threads as much as writing tens of kibibytes.
 */
const MEMORY_BYTES = 256 * 1024;

/**
 * Memory of earlier documents, reused for the next one: the operating system clears new memory page
 * by page. The client may still be using the last chunks of a document, or may never take them, so
 * only memory that is marked free is reused.
 */
const kept: SharedArrayBuffer[] = [];
/**
 * Enough for a client that takes chunks as fast as they come: its window, the chunk that it has,
 * and the one that is being written.
 */
const MOST_KEPT = 6;

/**
 * The sending end of a serialisation (see `SerializeJob.port`): sends chunks, at most `window`
 * ahead of the client.
 */
export class ChunkSender {
  readonly #port: MessagePort;
  readonly #window: number;
  /** By number. */
  readonly #memories = new Map<number, SharedArrayBuffer>();
  readonly #numbers = new Map<ArrayBufferLike, number>();
  readonly #free: SharedArrayBuffer[] = [];
  #made = 0;
  #unacknowledged = 0;
  #stopped = false;
  readonly #change = new ConditionVariable();

  constructor(port: MessagePort, window: number) {
    this.#port = port;
    this.#window = window;
    port.on('message', (receipt: ChunkReceipt) => this.#receive(receipt));
    port.on('close', () => this.#stop());
  }

  /**
   * Sends a chunk. A chunk at the start of memory from `spare` must not be modified afterwards; any
   * other one is copied. Resolves when another may be sent. Throws `cancelled` if no more are
   * wanted.
   */
  async send(chunk: Uint8Array): Promise<void> {
    this.#post(chunk);
    while (this.#unacknowledged >= this.#window && !this.#stopped) await this.#change.wait();
    if (this.#stopped) throw cancelledError();
  }

  /** Returns memory for the next chunk, shared with the main thread. */
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
    this.#unacknowledged++;
  }

  /** The memory is sent along when the other side does not have it yet. */
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

  #receive(receipt: ChunkReceipt): void {
    if (receipt === null) {
      this.#stop();
      return;
    }
    const { goOn, free, forget } = receipt;
    if (goOn) this.#unacknowledged--;
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
