import { connect, type Socket } from 'node:net';

/** A connection on which tests write bytes as they like. */
export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #received = '';
  #waiting: (() => void)[] = [];

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.#wake();
        resolve();
      });
    });
  }

  get received(): string {
    return this.#received;
  }

  write(text: string | Uint8Array): this {
    this.socket.write(text);
    return this;
  }

  /** Everything received once it satisfies the test; rejects when the connection ends before. */
  async until(test: (received: string) => boolean): Promise<string> {
    while (!test(this.#received)) {
      if (this.socket.destroyed)
        throw new Error(`Closed after ${JSON.stringify(this.#received.slice(0, 500))}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  /** Everything received until the server closes the connection. */
  async untilClosed(): Promise<string> {
    await this.closed;
    return this.#received;
  }

  end(): void {
    this.socket.destroy();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Whether the text holds a whole response with a body of the length that it declares. */
export function isComplete(received: string): boolean {
  const head = received.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1];
  return head !== -1 && length !== undefined && received.length >= head + 4 + Number(length);
}
