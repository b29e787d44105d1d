import type { MessagePort } from 'node:worker_threads';
import type { SerializeAnswer, SerializeMessage } from '../src/pool/messages.ts';
import { cancelledError } from './current-step.ts';

/** Of a chunk's memory: each message costs both threads as much as writing tens of kibibytes. */
const MEMORY_BYTES = 256 * 1024;

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
  #wake: (() => void) | null = null;

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
    while (this.#unanswered >= this.#window && !this.#stopped) await this.#answer();
    if (this.#stopped) throw cancelledError();
  }

  /** Memory that the client shares, for the next chunk. */
  readonly spare = (): Uint8Array => new Uint8Array(this.#free.pop() ?? new SharedArrayBuffer(MEMORY_BYTES));

  close(): void {
    this.#port.close();
  }

  #post(chunk: Uint8Array): void {
    const buffer = sharedBuffer(chunk);
    const known = this.#numbers.get(buffer);
    const memory = known ?? this.#made++;
    const message: SerializeMessage = { memory, length: chunk.length };
    this.#port.postMessage(known === undefined ? { ...message, made: buffer } : message);
    this.#numbers.set(buffer, memory);
    this.#memories.set(memory, buffer);
    this.#unanswered++;
  }

  #receive(answer: SerializeAnswer): void {
    if (answer === null) {
      this.#stop();
      return;
    }
    this.#unanswered--;
    const memory = answer < 0 ? ~answer : answer;
    const buffer = this.#memories.get(memory)!;
    if (answer >= 0 && buffer.byteLength === MEMORY_BYTES) {
      this.#free.push(buffer);
    } else {
      this.#memories.delete(memory);
      this.#numbers.delete(buffer);
    }
    this.#wake?.();
  }

  #stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function sharedBuffer(chunk: Uint8Array): SharedArrayBuffer {
  if (chunk.buffer instanceof SharedArrayBuffer) return chunk.buffer;
  const copy = new Uint8Array(new SharedArrayBuffer(chunk.length));
  copy.set(chunk);
  return copy.buffer;
}
