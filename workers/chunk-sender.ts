import type { MessagePort } from 'node:worker_threads';
import type { SerializeAnswer, SerializeMessage } from '../src/pool/messages.ts';
import { cancelledError } from './current-step.ts';

/** The far end of a serialisation (see `SerializeJob.port`): sends chunks, at most `window` ahead of the client. */
export class ChunkSender {
  readonly #port: MessagePort;
  readonly #window: number;
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #unanswered = 0;
  #stopped = false;
  #wake: (() => void) | null = null;

  constructor(port: MessagePort, window: number) {
    this.#port = port;
    this.#window = window;
    port.on('message', (answer: SerializeAnswer) => {
      if (answer === 0) this.#stopped = true;
      else this.#unanswered--;
      if (typeof answer !== 'number') this.#spare.push(new Uint8Array(answer));
      this.#wake?.();
    });
    port.on('close', () => {
      this.#stopped = true;
      this.#wake?.();
    });
  }

  /** The chunk's buffer is moved. Waits until another may be sent; throws `cancelled` when nobody wants it. */
  async send(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    const message: SerializeMessage = { chunk };
    this.#port.postMessage(message, [chunk.buffer]);
    this.#unanswered++;
    while (this.#unanswered >= this.#window && !this.#stopped) await this.#answer();
    if (this.#stopped) throw cancelledError();
  }

  /** Memory of a chunk that was taken. */
  readonly spare = (): Uint8Array<ArrayBuffer> | undefined => this.#spare.pop();

  close(): void {
    this.#port.close();
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
