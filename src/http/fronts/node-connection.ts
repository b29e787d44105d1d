import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorData, errorData } from '../../errors.ts';
import { parseAddress } from '../middleware/ip-address.ts';
import type { RequestSink } from './front.ts';
import { readHead } from './node-head.ts';
import { currentDate, NodeResponse } from './node-response.ts';

/** Requests of one connection that wait for the responses to earlier ones before it is paused. */
const WAITING = 8;
/**
 * Requests that may wait although the connection is paused: those of one packet. A client that
 * sends more at once is disconnected, because node:http keeps some kilobytes for each.
 */
const MAX_WAITING = 256;
/**
 * How long bytes are read and discarded after the last response. A connection that is closed before
 * all bytes are read is reset, and the client may lose the response.
 */
const LINGER_MS = 2_000;

interface Unanswered {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly expectsContinue: boolean;
}

/**
 * A connection of node:http, which gives all requests of a packet to the server at once. Here they
 * are carried out one after the other: a request may depend on what an earlier one wrote.
 */
export class NodeConnection {
  readonly socket: Socket;
  readonly #sink: RequestSink;
  #address: string | undefined;
  #current: { readonly request: IncomingMessage; readonly port: NodeResponse } | undefined;
  readonly #waiting: Unanswered[] = [];
  /** Bytes that are not a request follow the waiting ones. */
  #refused: ErrorData | undefined;
  /** Nothing more is read as a request. */
  #ending = false;

  constructor(socket: Socket, sink: RequestSink) {
    this.socket = socket;
    this.#sink = sink;
    socket.on('error', () => {});
    // node:http calls it after the last response.
    socket.destroySoon = () => this.#linger();
    socket.on('resume', () => this.#onResume());
    socket.on('close', () => this.abort());
  }

  get address(): string {
    // URLs have no zones (`fe80::1%eth0`).
    const [address = ''] = (this.socket.remoteAddress ?? '').split('%');
    this.#address ??= parseAddress(address) ?? '';
    return this.#address;
  }

  accept(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    if (this.#ending) return;
    const unanswered = { request, response, expectsContinue };
    if (!this.#current) this.#begin(unanswered);
    else if (this.#waiting.push(unanswered) > MAX_WAITING) this.socket.destroy();
    else this.#holdBack();
  }

  /** Responds to bytes that are not a request, after the requests before them. */
  refuse(error: ErrorData): void {
    if (this.#ending || this.#refused) return;
    this.#refused = error;
    const current = this.#current;
    // The bytes belong to the body of the current request, which will never be complete.
    if (current && !current.request.complete && !current.port.started) {
      this.#current = undefined;
      current.port.abort();
    }
    if (!this.#current) this.#next();
  }

  /** Tells the requests of the connection that it is closed. */
  abort(): void {
    this.#ending = true;
    this.#waiting.length = 0;
    this.#current?.port.abort();
    this.#current = undefined;
  }

  /** The client has sent nothing of a request for too long. */
  expire(): void {
    if (this.#current) return;
    if (this.socket.bytesRead === 0) this.socket.destroy();
    else this.refuse(errorData('head-timeout', 'The request line and header fields took too long.'));
  }

  #begin({ request, response, expectsContinue }: Unanswered): void {
    const port = new NodeResponse(request, response, this, expectsContinue);
    this.#current = { request, port };
    response.on('finish', () => {
      this.#ending ||= port.isLast;
      this.#current = undefined;
      this.#next();
    });
    this.#sink.accept(port, readHead(request, this.#ownAuthority()));
  }

  #next(): void {
    if (this.#ending) return;
    const next = this.#waiting.shift();
    if (next) {
      // The limit for a client that did not take the end of the last response.
      this.socket.setTimeout(0);
      this.#begin(next);
    } else if (this.#refused) this.#respondRaw(this.#refused);
    if (this.#waiting.length < WAITING && this.socket.isPaused()) this.socket.resume();
  }

  /**
   * node:http resumes the connection for the body of the current request, and whenever a request is
   * complete. It does so later, and then reads even if the connection was paused in between, when
   * `pause` has no effect any more. Without the event, it would buffer all that the client sends.
   */
  #onResume(): void {
    if (this.socket.isPaused()) this.socket.emit('pause');
    else this.#holdBack();
  }

  #holdBack(): void {
    if (this.#waiting.length >= WAITING) this.socket.pause();
  }

  #ownAuthority(): string {
    const { localAddress = '', localPort } = this.socket;
    return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
  }

  /** Writes a response to what node:http could not read. */
  #respondRaw(error: ErrorData): void {
    const { head, text } = this.#sink.refuse(error);
    const lines = typeof head === 'string' ? head : Buffer.from(head).toString();
    const length = Buffer.byteLength(text);
    const more = `Date: ${currentDate()}\r\nConnection: close\r\nContent-Length: ${length}`;
    this.socket.write(`HTTP/1.1 ${lines}\r\n${more}\r\n\r\n${text}`);
    this.#linger();
  }

  #linger(): void {
    this.#ending = true;
    const { socket } = this;
    if (socket.destroyed) return;
    socket.end();
    // Takes the bytes from the parser, which would keep each further request in memory.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }
}
