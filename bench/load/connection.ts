import { connect as connectPlainly, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { type Answer, AnswerReader } from './answer-reader.ts';

/** The answer, or why there is none. */
export type Outcome = Answer | Error;

const RECEIVE_BYTES = 64 * 1024;

/** A connection with one request at a time; connects anew after it was lost. */
export class Connection {
  readonly #url: URL;
  readonly #reader: AnswerReader;
  #socket: Socket | undefined;
  #done: ((outcome: Outcome) => void) | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#reader = new AnswerReader((answer) => this.#settle(answer));
  }

  request(bytes: Buffer, keepBody: boolean, done: (outcome: Outcome) => void): void {
    this.#done = done;
    this.#reader.keepBody = keepBody;
    this.#socket ??= this.#connect();
    this.#socket.write(bytes);
  }

  /** Nobody is told any more. */
  end(): void {
    this.#done = undefined;
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const { protocol, hostname, port } = this.#url;
    const secure = protocol === 'https:';
    const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)) };
    const receive = (bytes: Buffer) => this.#receive(bytes);
    if (secure) return this.#watch(connectSecurely({ ...place, servername: place.host }).on('data', receive));
    const buffer = Buffer.allocUnsafe(RECEIVE_BYTES);
    const onread = {
      buffer,
      callback: (length: number) => {
        receive(buffer.subarray(0, length));
        return true;
      },
    };
    return this.#watch(connectPlainly({ ...place, noDelay: true, onread }));
  }

  #watch(socket: Socket): Socket {
    let cause = new Error('The server closed the connection.');
    socket.on('error', (error) => {
      cause = error;
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#settle(cause);
    });
    return socket;
  }

  #receive(bytes: Buffer): void {
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.#socket?.destroy(error as Error);
    }
  }

  #settle(outcome: Outcome): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(outcome);
  }
}
