import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { formatHttpDate } from '../headers/http-date.ts';
import type { ResponseHead } from '../server/header-lines.ts';
import type { ResponsePort } from './front.ts';

/** A client that reads nothing of a response for so long is disconnected (G-141). */
const STALL_MS = 10_000;
/** Bytes of a body that are copied and handed over at once. */
const PIECE_BYTES = 64 * 1024;
const noBytes = new Uint8Array(0);

/** What the response is part of. */
export interface ResponseConnection {
  readonly socket: Socket;
  /** The client's address, in the form of `clientAddress`. */
  readonly address: string;
}

/**
 * One response through node:http. Bytes are copied before they are handed over, because node:http
 * keeps what the client does not take at once, and callers reuse their memory.
 */
export class NodeResponse implements ResponsePort {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connection: ResponseConnection;
  /** Whether the client waits for 100 Continue before it sends the body. */
  #owesContinue: boolean;
  #statusLine = '';
  #fields: string[] = [];
  #isAscii = true;
  #started = false;
  #ended = false;
  /** Bytes of the body that were handed over, and those of them that were sent at the last look. */
  #handed = 0;
  #sent = 0;
  #blocked = false;
  #onWritable: (() => boolean) | undefined;
  #onAborted: (() => void) | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: ResponseConnection,
    expectsContinue: boolean,
  ) {
    this.#request = request;
    this.#response = response;
    this.#connection = connection;
    this.#owesContinue = expectsContinue;
    response.on('finish', this.#onFlushed);
    response.on('error', () => {});
    if (!hasBody(request)) this.wantBody();
  }

  /** Whether the head has been handed over. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether the connection ends with this response. Valid once it has started. */
  get isLast(): boolean {
    return !this.#response.shouldKeepAlive;
  }

  get awaitsContinue(): boolean {
    return this.#owesContinue;
  }

  /**
   * Also called when the client does not wait for the 100. Without it, node:http would close the
   * connection after the response.
   */
  wantBody(): void {
    if (!this.#owesContinue || this.#started) return;
    this.#owesContinue = false;
    this.#response.writeContinue();
  }

  writeStatus(head: ResponseHead): void {
    // node:http writes characters as bytes.
    const bytes = Buffer.from(head as Uint8Array | string);
    const text = bytes.toString('latin1');
    this.#isAscii = !/[\x80-\xff]/.test(text);
    const [line = '', ...fields] = text.split('\r\n');
    this.#statusLine = line;
    for (const field of fields) {
      const colon = field.indexOf(':');
      this.#fields.push(field.slice(0, colon), field.slice(colon + 2));
    }
  }

  writeHeader(name: string, value: string): void {
    if (name === 'Connection') this.#response.shouldKeepAlive = false;
    else this.#fields.push(name, value);
  }

  write(chunk: Uint8Array): boolean {
    this.#start(undefined);
    this.#response.write(Buffer.from(chunk), this.#onFlushed);
    return this.#flush();
  }

  end(body?: string | Uint8Array, closeConnection = false): void {
    if (closeConnection) this.#response.shouldKeepAlive = false;
    if (!this.#started) this.#start(body === undefined ? 0 : Buffer.byteLength(body));
    this.#end(typeof body === 'string' ? body : Buffer.from(body ?? noBytes));
  }

  endWithoutBody(): void {
    this.#start(undefined);
    this.#end('');
  }

  tryEnd(chunk: string | Uint8Array, total: number): [sent: boolean, done: boolean] {
    if (this.#blocked || this.#ended) return [false, false];
    this.#start(total);
    const bytes = typeof chunk === 'string' && total > PIECE_BYTES ? Buffer.from(chunk) : chunk;
    if (typeof bytes === 'string') {
      this.#handed = total;
      this.#end(bytes);
      return [!this.#blocked, !this.#blocked];
    }
    let at = 0;
    do {
      this.#send(Buffer.from(bytes.subarray(at, at + PIECE_BYTES)), total);
      at += PIECE_BYTES;
    } while (at < bytes.length && !this.#blocked);
    return [!this.#blocked, this.#ended && !this.#blocked];
  }

  getWriteOffset(): number {
    return this.#sent;
  }

  onWritable(listener: () => boolean): void {
    this.#onWritable = listener;
  }

  /** Each call hands its bytes to the system at once. */
  cork(write: () => void): void {
    write();
  }

  close(): void {
    this.#connection.socket.destroy();
  }

  onAborted(listener: () => void): void {
    this.#onAborted = listener;
  }

  /** The connection was closed, or the request turned out to be malformed. */
  abort(): void {
    this.#onAborted?.();
  }

  onData(listener: (chunk: Uint8Array, last: boolean) => void): void {
    this.#request.on('data', (chunk: Uint8Array) => {
      this.wantBody();
      listener(chunk, false);
    });
    this.#request.on('end', () => {
      this.wantBody();
      listener(noBytes, true);
    });
  }

  pause(): void {
    this.#request.pause();
  }

  resume(): void {
    this.#request.resume();
  }

  getRemoteAddressAsText(): string {
    return this.#connection.address;
  }

  /** `length`: bytes of the body; undefined for one of unknown length, and if the head says it. */
  #start(length: number | undefined): void {
    if (this.#started) return;
    this.#started = true;
    const response = this.#response;
    // A client that got no 100 may or may not send the body: what follows would be ambiguous.
    if (this.#owesContinue || this.#request.httpVersion === '1.0') response.shouldKeepAlive = false;
    response.sendDate = false;
    // Without this, node:http would add lines about the connection.
    response.removeHeader('Connection');
    const fields = this.#fields;
    fields.push('Date', currentDate());
    if (length !== undefined) fields.push('Content-Length', String(length));
    if (!response.shouldKeepAlive) fields.push('Connection', 'close');
    response.writeHead(Number(this.#statusLine.slice(0, 3)), this.#statusLine.slice(4), fields);
  }

  #send(piece: Uint8Array, total: number): void {
    this.#handed += piece.length;
    if (this.#handed === total) this.#end(piece);
    else {
      this.#response.write(piece, this.#onFlushed);
      this.#flush();
    }
  }

  #end(rest: string | Uint8Array): void {
    this.#ended = true;
    // node:http joins the head and a string, and encodes both as UTF-8.
    this.#response.end(typeof rest === 'string' && !this.#isAscii ? Buffer.from(rest) : rest);
    this.#flush();
  }

  /** Whether the system has taken everything that was handed over. */
  get #isFlushed(): boolean {
    return this.#connection.socket.writableLength === 0 && this.#response.writableLength === 0;
  }

  /** Returns whether the system took everything. */
  #flush(): boolean {
    const { socket } = this.#connection;
    // node:http holds bytes back until the next tick: version 26 in the response, others in the
    // socket.
    while (this.#response.writableCorked > 0) this.#response.uncork();
    while (socket.writableCorked > 0) socket.uncork();
    if (this.#isFlushed) {
      this.#sent = this.#handed;
      return true;
    }
    if (!this.#blocked) socket.setTimeout(STALL_MS);
    this.#blocked = true;
    return false;
  }

  readonly #onFlushed = (): void => {
    const { socket } = this.#connection;
    if (!this.#blocked || !this.#isFlushed || socket.destroyed) return;
    this.#blocked = false;
    this.#sent = this.#handed;
    if (!this.#ended) socket.setTimeout(0);
    this.#onWritable?.();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

let dateSecond = 0;
let dateText = '';

/** Unlike that of node:http, it is never late. */
export function currentDate(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = formatHttpDate(now);
  }
  return dateText;
}
