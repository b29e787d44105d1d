import { setImmediate as turn } from 'node:timers/promises';
import type { ByteBudget } from '../../base/byte-budget.ts';
import type { GraphAccess } from '../../base/graph-access.ts';
import { AppError, type ErrorCode, type Result } from '../../errors.ts';
import type { Transfer, TransferTasks } from '../../services/tasks/transfer-tasks.ts';
import type { Front, RequestHead, ResponsePort } from '../fronts/front.ts';
import type { MeteredRequest } from '../middleware/request-meter.ts';
import type { ResponseHead } from './header-lines.ts';
import type { HttpRequest, HttpResponse, IncomingBody } from './message.ts';
import type { LoggedRequest, Outcome } from './request-log.ts';
import { BodyWriter, type HeadToSend } from './response-body.ts';
import { shownTarget } from './shown-target.ts';
import { Upload, type UploadSettings } from './upload.ts';

/** The services that the server provides to its exchanges. */
export interface HttpExchangeHost {
  readonly uploads: UploadSettings;
  /** Budget for the bytes of responses that clients have not taken, other than streamed ones. */
  readonly responseBudget: ByteBudget;
  /** True once the server is shutting down: each connection then ends with its response. */
  readonly closing: boolean;
  /** Path of the base URI, without a trailing slash; empty if it has none. */
  readonly basePath: string;
  readonly front: Pick<Front, 'sendLast' | 'reject'>;
  /**
   * Returns the head in the form that fronts accept, valid until the next call. Throws on unsafe
   * headers.
   */
  formatHead(response: HttpResponse, request: HttpRequest): ResponseHead;
  /** Returns the client's address, given that of the connection. */
  clientOf(connection: string, request: HttpRequest): string;
  /** Logs an internal error and returns the response for the client. */
  exceptionResponse(error: unknown, request: HttpRequest): HttpResponse;
  checkWrite(exchange: HttpExchange): ReturnType<HttpRequest['checkWrite']>;
  ended(exchange: HttpExchange): void;
  /** Bodies that take more than a moment to transfer. */
  readonly transfers: Pick<TransferTasks, 'add' | 'delete'>;
}

/** Bodies up to this length are handed over in one call. */
const WHOLE_BYTES = 64 * 1024;
const decoder = new TextDecoder();
const FULL = 'The server cannot buffer more responses for slow clients.';

/** One request and its response. */
export class HttpExchange implements LoggedRequest, MeteredRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #url: string;
  readonly headers: readonly string[];
  readonly #port: ResponsePort;
  readonly #host: HttpExchangeHost;
  readonly #upload: Upload | undefined;
  #transfer: Transfer | undefined;
  #streamsBody = false;
  /** Set once the credentials have been verified. */
  user: string | undefined;
  access: GraphAccess | undefined;
  requestId: string | undefined;
  route: string | undefined;
  begun = 0;
  mayWrite = false;
  /** The response sent last. It is kept until the exchange is over. */
  #response: HttpResponse | undefined;
  #client: string | undefined;
  #writer: BodyWriter | undefined;
  #abortListeners: (() => void)[] | undefined;
  /** True during the front's callback for the request: uWebSockets.js collects writes anyway. */
  #gathered = true;
  #aborted = false;
  #over = false;

  constructor(port: ResponsePort, head: RequestHead, host: HttpExchangeHost) {
    this.method = head.method;
    this.path = pathBelow(head.url, host.basePath);
    this.query = head.query;
    this.#url = head.url;
    this.headers = head.headers;
    this.#port = port;
    this.#host = host;
    this.#upload = this.#expectBody();
  }

  get target(): string {
    return this.query === '' ? this.#url : `${this.#url}?${this.query}`;
  }

  get requestLine(): string {
    return `${this.method} ${shownTarget(this.target)}`;
  }

  get remoteAddress(): string {
    // uWebSockets.js no longer knows the connection once the exchange is over.
    if (this.#client === undefined && this.#over) return '';
    this.#client ??= this.#host.clientOf(addressOf(this.#port), this);
    return this.#client;
  }

  /** Whether the response is complete or the client has disconnected. */
  get over(): boolean {
    return this.#over;
  }

  get status(): number | null {
    return this.#response?.status ?? null;
  }

  get problem(): ErrorCode | undefined {
    return this.#response?.code;
  }

  get outcome(): Outcome {
    const response = this.#response;
    const aborted = this.#aborted;
    return { status: response?.status ?? null, bytes: this.#bytesSent(), code: response?.code, aborted };
  }

  #bytesSent(): number {
    if (this.#writer) return this.#writer.sent;
    const { status = 204, body = '' } = this.#response ?? {};
    const isEmpty = this.method === 'HEAD' || status === 204 || status === 304;
    return isEmpty || !isWhole(body) ? 0 : Buffer.byteLength(body as string | Uint8Array);
  }

  header(name: string): string | undefined {
    const { headers } = this;
    let value: string | undefined;
    for (let i = 0; i < headers.length; i += 2) {
      const each = headers[i]!;
      // Most lengths differ, and comparing them needs no call.
      if (each.length !== name.length || each !== name) continue;
      value = value === undefined ? headers[i + 1]! : `${value}, ${headers[i + 1]}`;
    }
    return value;
  }

  readBody(maxBytes: number): Promise<Result<Uint8Array>> {
    return this.#upload
      ? this.#upload.read(maxBytes)
      : Promise.resolve({ ok: true, value: new Uint8Array(0) });
  }

  reserveBytes(bytes: number): boolean {
    return this.#upload?.reserve(bytes) ?? false;
  }

  streamBody(maxBytes: number): IncomingBody {
    this.#streamsBody = true;
    return this.#upload?.stream(maxBytes) ?? emptyBody();
  }

  checkWrite(): ReturnType<HttpRequest['checkWrite']> {
    this.mayWrite = true;
    return this.#host.checkWrite(this);
  }

  onAbort(listener: () => void): void {
    if (this.#aborted) listener();
    else if (this.#abortListeners) this.#abortListeners.push(listener);
    else this.#abortListeners = [listener];
  }

  /** The callback of the front ends now, and the response is sent later. */
  defer(): void {
    this.#gathered = false;
    this.#port.onAborted(() => this.abort());
    this.#upload?.watch();
  }

  /** The client disconnected. The port must not be used any more. */
  abort(): void {
    if (this.#over) return;
    this.#aborted = true;
    this.#upload?.abort();
    this.#writer?.abort();
    this.#end();
    for (const listener of this.#abortListeners ?? []) listener();
  }

  /** Closes the connection. Used when not even an error response can be sent. */
  destroy(): void {
    if (this.#over) return;
    this.#port.close();
    this.abort();
  }

  /**
   * Sends the response and closes the connection before more is read from it. Used for a head that
   * an intermediary may parse differently.
   */
  reject(response: HttpResponse): void {
    this.#response = response;
    this.#upload?.discard();
    const text = typeof response.body === 'string' ? response.body : '';
    const head = this.#host.formatHead(response, this);
    this.#host.front.reject(this.#port, { head, text }, this.method === 'HEAD');
    this.#end();
  }

  /** Sends the response, at once or as fast as the client reads it. */
  respond(response: HttpResponse): void {
    this.#endTransfer();
    const rejectsBody = response.status === 413 && this.#upload !== undefined;
    if (this.#upload?.pending && rejectsBody) {
      void this.#upload.drain().then(() => this.#sendLast(response));
      return;
    }
    this.#upload?.discard();
    const isLast = rejectsBody || response.status === 408 || this.#host.closing || this.#asksToClose;
    if (isLast) this.#sendLast(response);
    else this.#send(response, false);
  }

  #sendLast(response: HttpResponse): void {
    this.#host.front.sendLast(() => this.#send(response, true));
  }

  /** Whether the client asked to close the connection (RFC 9112 section 9.6). */
  get #asksToClose(): boolean {
    const connection = this.header('connection');
    return connection !== undefined && closeOption.test(connection);
  }

  #send(response: HttpResponse, close: boolean): void {
    if (this.#over) {
      cancelBody(response);
      return;
    }
    this.#response = response;
    let head: ResponseHead;
    try {
      head = this.#host.formatHead(response, this);
    } catch (error) {
      cancelBody(response);
      this.#send(this.#host.exceptionResponse(error, this), close);
      return;
    }
    if (this.method === 'HEAD') this.#sendHead(response, head, close);
    else if (isWhole(response.body)) this.#sendWhole(response, head, close);
    else void this.#sendLong(response, head, close);
  }

  #sendWhole(response: HttpResponse, head: ResponseHead, close: boolean): void {
    const left = this.#gathered
      ? this.#writeWhole(response, head, close)
      : this.#corkWhole(response, head, close);
    if (left) void this.#sendRest(left);
    else this.#end();
  }

  #corkWhole(response: HttpResponse, head: ResponseHead, close: boolean): Uint8Array | undefined {
    let left: Uint8Array | undefined;
    this.#port.cork(() => {
      left = this.#writeWhole(response, head, close);
    });
    return left;
  }

  /**
   * Returns the body if the client has not taken all of it. `end` would leave the rest to
   * uWebSockets.js, which buffers it for as many requests as a client sends without reading. `end`
   * is for the last response of a connection, and for responses without a body: uWebSockets.js ends
   * the connection of a client that does not read those by itself (measured: after 4,000 to 44,000
   * of them).
   */
  #writeWhole({ status, body }: HttpResponse, head: ResponseHead, close: boolean): Uint8Array | undefined {
    const port = this.#port;
    const whole = body as string | Uint8Array | undefined;
    port.writeStatus(head);
    if (status === 204 || status === 304) port.endWithoutBody();
    else if (close || !whole) port.end(whole, close);
    else {
      const [, done] = port.tryEnd(whole, Buffer.byteLength(whole));
      if (!done) return typeof whole === 'string' ? Buffer.from(whole) : whole;
    }
    return undefined;
  }

  /** Sends the rest of a body after the head and perhaps a part of the body have been sent. */
  async #sendRest(body: Uint8Array): Promise<void> {
    // Wait until the callback of the front has ended and the abort listener is set. An encrypted
    // connection of node:http reports only then that the system has taken the bytes.
    await turn();
    if (this.#over) return;
    const sent = this.#port.getWriteOffset();
    if (sent === body.length) {
      this.#end();
      return;
    }
    const writer = this.#newWriter();
    this.#listDownload(writer, body.length);
    try {
      await this.#sendBuffered(writer, body, sent);
      this.#end();
    } catch (error) {
      this.#breakOff(error, true);
    }
  }

  /**
   * Sends the response to a HEAD: the length that a GET would have, if known, and no body (G-20).
   * uWebSockets.js's own way to state a length without a body never completes the response, so the
   * length is sent as a header.
   */
  #sendHead(response: HttpResponse, head: ResponseHead, close: boolean): void {
    cancelBody(response);
    const length = bodyLength(response);
    const port = this.#port;
    port.cork(() => {
      port.writeStatus(head);
      if (length !== undefined) port.writeHeader('Content-Length', String(length));
      if (close) port.writeHeader('Connection', 'close');
      port.endWithoutBody();
    });
    this.#end();
  }

  async #sendLong(response: HttpResponse, head: ResponseHead, close: boolean): Promise<void> {
    const writer = this.#newWriter({
      // Other heads may be formatted before the first bytes of the body arrive.
      lines: typeof head === 'string' ? head : head.slice(),
      // A shutdown may begin before they do.
      isLast: () => close || this.#host.closing,
    });
    if (!response.isUnlisted) this.#listDownload(writer, bodyLength(response) ?? 0);
    try {
      const body = typeof response.body === 'string' ? Buffer.from(response.body) : response.body!;
      if (body instanceof Uint8Array) await this.#sendBuffered(writer, body);
      else if (response.length !== undefined) await writer.sendSized(body, response.length);
      else await writer.sendStream(body);
      this.#end();
    } catch (error) {
      this.#breakOff(error, writer.started);
    }
  }

  /** `head`: omitted if it has already been sent. */
  #newWriter(head?: HeadToSend): BodyWriter {
    // From then on the front drops a client that reads nothing and waits for one that reads.
    const writer = new BodyWriter(this.#port, head, () => this.#upload?.unwatch());
    this.#writer = writer;
    return writer;
  }

  /** `from`: offset of the first byte that has not been sent. */
  async #sendBuffered(writer: BodyWriter, body: Uint8Array, from = 0): Promise<void> {
    const { responseBudget } = this.#host;
    if (!responseBudget.reserve(body.length)) throw new AppError('overloaded', FULL, { retryAfter: 5 });
    try {
      await writer.sendSized([body.subarray(from)], body.length);
    } finally {
      responseBudget.release(body.length);
    }
  }

  /**
   * A body failed. Once part of it has been sent, only a broken connection can show that to the
   * client.
   */
  #breakOff(error: unknown, started: boolean): void {
    if (this.#over) return;
    const response = this.#host.exceptionResponse(error, this);
    if (started) {
      this.#port.close();
      return;
    }
    this.#writer = undefined;
    this.#send(response, true);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#endTransfer();
    this.#upload?.release();
    this.#host.ended(this);
    this.#response = undefined;
  }

  #expectBody(): Upload | undefined {
    const length = this.header('content-length');
    if (length === undefined && this.header('transfer-encoding') === undefined) return undefined;
    const declared = length === undefined ? undefined : Number(length);
    // If the head arrived in several packets, uWebSockets.js does not report the end of an empty
    // body.
    if (declared === 0) return undefined;
    const upload = new Upload(this.#port, declared, this.#host.uploads);
    this.#port.onData((chunk, last) => {
      if (!last && !this.#transfer && !this.#over) this.#listUpload(upload);
      upload.receive(chunk, last);
      // The reader of a stream may have much to do at its end. A buffered body has become another
      // task by then.
      if (last && !this.#streamsBody && this.#transfer?.direction === 'Upload') this.#endTransfer();
    });
    return upload;
  }

  #listUpload(upload: Upload): void {
    this.#list({
      direction: 'Upload',
      caller: this,
      get message() {
        return upload.pending ? 'receiving bytes' : 'storing bytes';
      },
      get bytes() {
        return upload.received;
      },
      total: upload.declared ?? 0,
      cancel: () => upload.cancel(),
    });
  }

  #listDownload(writer: BodyWriter, total: number): void {
    this.#list({
      direction: 'Download',
      caller: this,
      message: 'sending bytes',
      get bytes() {
        return writer.sent;
      },
      total,
      cancel: () => {
        this.destroy();
        return true;
      },
    });
  }

  #list(transfer: Transfer): void {
    this.#endTransfer();
    this.#transfer = transfer;
    this.#host.transfers.add(transfer);
  }

  #endTransfer(): void {
    if (!this.#transfer) return;
    this.#host.transfers.delete(this.#transfer);
    this.#transfer = undefined;
  }
}

function addressOf(port: ResponsePort): string {
  const address = port.getRemoteAddressAsText();
  return typeof address === 'string' ? address : decoder.decode(address);
}

function pathBelow(url: string, basePath: string): string {
  if (basePath === '' || url === '*') return url;
  return url.slice(basePath.length) || '/';
}

const closeOption = /(?:^|[\s,])close(?:[\s,]|$)/i;

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

function isWhole(body: HttpResponse['body']): boolean {
  return (
    body === undefined ||
    ((typeof body === 'string' || body instanceof Uint8Array) && body.length <= WHOLE_BYTES)
  );
}

function bodyLength({ body, length }: HttpResponse): number | undefined {
  if (length !== undefined) return length;
  return typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined;
}

/** Tells the source of a body that it is not needed. */
function cancelBody({ body }: HttpResponse): void {
  if (typeof body !== 'object' || body instanceof Uint8Array) return;
  const iterator = body[Symbol.asyncIterator]();
  iterator.return?.().catch(() => {});
}
