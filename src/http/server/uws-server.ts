import type { HttpRequest as UwsRequest, HttpResponse as UwsResponse } from 'uWebSockets.js';
import { setImmediate } from 'node:timers/promises';
import { ByteBudget } from '../../base/byte-budget.ts';
import { type ErrorData, errorData, shuttingDown } from '../../errors.ts';
import type { TransferTasks } from '../../services/tasks/transfer-tasks.ts';
import type { AccessPolicy } from '../middleware/access.ts';
import type { AddressLimit } from '../middleware/address-limit.ts';
import { CorsPolicy } from '../middleware/cors.ts';
import { framingFault, sizeFault, unmetExpectation } from '../middleware/framing.ts';
import { clientAddress } from '../middleware/ip-address.ts';
import type { KnownHosts } from '../middleware/known-hosts.ts';
import type { OriginPolicy } from '../middleware/origin-policy.ts';
import type { TrustedProxies } from '../middleware/trusted-proxies.ts';
import { problemReply } from '../problem.ts';
import { HttpExchange, type HttpExchangeHost, type RequestHead } from './exchange.ts';
import { type FaultLog, faultReply } from './fault.ts';
import type { Head } from './header-lines.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { assertFree } from './port-probe.ts';
import { HeadFormat } from './reply-head.ts';
import { givenRequestId } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import type { UploadSettings } from './upload.ts';
import { UploadWatch } from './upload-watch.ts';

/**
 * Maximum bytes of request line and header fields for uWebSockets.js, which reads it from the
 * environment when it is loaded. It is higher than the server's own limit (G-16), so that clients
 * that exceed that limit get a regular error response. The library's own response has neither a
 * problem nor the headers for browsers, and cannot be changed.
 */
const FRONT_HEAD_BYTES = 128 * 1024;

export interface HttpServerOptions {
  readonly host: string;
  /** 0: the system chooses a free port. */
  readonly port: number;
  /** Path of the base URI, without a trailing slash; empty if it has none. */
  readonly basePath: string;
  /** Origins whose pages may read responses (see `CorsPolicy`). */
  readonly allowOrigins: readonly string[];
  /** Maximum time between two chunks of a body. */
  readonly bodyTimeMs: number;
  /** Maximum bytes of request bodies that are buffered at once. */
  readonly maxBodiesHeld: number;
  /** Maximum bytes of responses, other than streamed ones, that are buffered for slow clients. */
  readonly maxAnswersHeld: number;
  /** Access control; if omitted, everybody may do everything. */
  readonly access?: AccessPolicy;
  /** Host names that the server accepts; all names if omitted. */
  readonly hosts?: KnownHosts;
  /** Origins whose pages may write; all origins if omitted. */
  readonly origins?: OriginPolicy;
  /** The rate limit of each address; no limit if omitted. */
  readonly requests?: AddressLimit;
  /** Proxies that are trusted to name the client; none if omitted. */
  readonly proxies?: TrustedProxies;
  /** PEM files; if omitted, connections are not encrypted. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly log: FaultLog;
  /** Lists bodies that take more than a moment to transfer. */
  readonly transfers: Pick<TransferTasks, 'add' | 'delete'>;
  /** Logs every request; if omitted, requests are not logged. */
  readonly requestLog?: RequestLog;
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
}

export interface HttpServer {
  readonly port: number;
  /**
   * Stops the server. New requests get 503 `shutting-down`; running ones have up to `graceMs` to
   * end (G-93). Resolves when all connections are closed. Further calls change nothing.
   */
  close(graceMs: number): Promise<void>;
}

/** Listens for requests. Rejects if the address is not available. */
export async function startServer(options: HttpServerOptions): Promise<HttpServer> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(FRONT_HEAD_BYTES);
  const uws = await import('uWebSockets.js');
  hideName(uws);
  const { App, SSLApp, us_socket_local_port } = uws;
  const adapter = new UwsAdapter(options);
  const { tls } = options;
  const bare = tls ? SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile }) : App();
  // Saves a call for the method of a GET.
  const app = bare
    .get('/*', (response, request) => adapter.accept(response, request, 'GET'))
    .any('/*', (response, request) => adapter.accept(response, request, request.getCaseSensitiveMethod()));
  const address = `${options.host}:${options.port}`;
  if (options.port !== 0) await assertFree(options.host, options.port);
  const port = await new Promise<number>((resolve, reject) => {
    app.listen(options.host, options.port, (socket) => {
      // The type declarations allow only connections here, but listening sockets have a port too.
      if (socket) resolve(us_socket_local_port(socket as never));
      else reject(new Error(`Can't listen on ${address}.`));
    });
  });
  const stop = async (graceMs: number) => {
    await adapter.close(graceMs);
    // The last response may still wait for the end of the callback in which it was written.
    await setImmediate();
    app.close();
  };
  let stopped: Promise<void> | undefined;
  const close = (graceMs: number) => {
    stopped ??= stop(graceMs);
    return stopped;
  };
  return { port, close };
}

/**
 * Stops uWebSockets.js from adding a header with its name and version to every response. The
 * function is missing from the type declarations.
 */
function hideName(adapter: object): void {
  (adapter as { _cfg?: (option: string) => void })._cfg?.('silent');
}

const NOTHING_HERE = errorData('not-found', 'There is nothing at this path.');

/** The uWebSockets.js adapter: turns the library's requests into exchanges and counts them. */
class UwsAdapter implements HttpExchangeHost {
  readonly uploads: UploadSettings;
  readonly answers: ByteBudget;
  readonly transfers: HttpServerOptions['transfers'];
  readonly #options: HttpServerOptions;
  readonly #headFormat: HeadFormat;
  #running = 0;
  #closing = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    const { bodyTimeMs, maxBodiesHeld, allowOrigins } = options;
    this.#options = options;
    this.uploads = {
      store: new ByteBudget(maxBodiesHeld),
      watch: new UploadWatch(bodyTimeMs),
      timeoutMs: bodyTimeMs,
    };
    this.answers = new ByteBudget(options.maxAnswersHeld);
    this.transfers = options.transfers;
    this.#headFormat = new HeadFormat(new CorsPolicy(allowOrigins));
  }

  get closing(): boolean {
    return this.#closing;
  }

  accept(response: UwsResponse, request: UwsRequest, method: string): void {
    this.#running++;
    const { basePath } = this.#options;
    const url = request.getUrl();
    const head = readHead(request, method, url, basePath);
    const exchange = new HttpExchange(response, head, this);
    exchange.requestId = givenRequestId(exchange);
    this.#options.requestLog?.begin(exchange);
    const tooOften = this.#rateFault(exchange);
    const unreadable = framingFault(exchange) ?? sizeFault(head);
    if (unreadable) exchange.refuse(problemReply(unreadable, exchange));
    else if (tooOften) this.#send(exchange, problemReply(tooOften, exchange));
    else if (!isBelow(url, basePath)) exchange.reply(problemReply(NOTHING_HERE, exchange));
    else this.#serve(exchange);
    if (!exchange.over) exchange.defer();
  }

  #serve(exchange: HttpExchange): void {
    const reply = this.#answer(exchange);
    if (!(reply instanceof Promise)) this.#send(exchange, reply);
    else {
      reply.then(
        (value) => this.#send(exchange, value),
        (error) => this.#send(exchange, this.fault(error, exchange)),
      );
    }
  }

  #send(exchange: HttpExchange, reply: HttpReply): void {
    try {
      exchange.reply(reply);
    } catch (error) {
      this.fault(error, exchange);
      exchange.destroy();
    }
  }

  clientOf(connection: string, request: HttpRequest): string {
    const address = clientAddress(connection);
    return this.#options.proxies?.clientOf(address, request) ?? address;
  }

  formatHead(reply: HttpReply, request: HttpRequest): Head {
    return this.#headFormat.format(reply, request);
  }

  fault(error: unknown, request: HttpRequest): HttpReply {
    return faultReply(error, request, this.#options.log);
  }

  checkWrite(exchange: HttpExchange): ReturnType<HttpRequest['checkWrite']> {
    const { access, origins } = this.#options;
    return origins?.checkWrite(exchange) ?? access?.check(exchange, 'write');
  }

  ended(exchange: HttpExchange): void {
    this.#options.requestLog?.end(exchange);
    this.#running--;
    if (this.#running === 0) this.#whenIdle?.();
  }

  /** Resolves when no exchange is running, or after the grace period. */
  close(graceMs: number): Promise<void> {
    this.#closing = true;
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #answer(exchange: HttpExchange): HttpReply | Promise<HttpReply> {
    const refusal = this.#refusal(exchange);
    if (refusal) return problemReply(refusal, exchange);
    const verdict = this.#options.access?.check(exchange);
    if (!(verdict instanceof Promise)) return this.#handle(exchange, verdict);
    return verdict.then((settled) => this.#handle(exchange, settled));
  }

  #handle(exchange: HttpExchange, denial: ErrorData | undefined): HttpReply | Promise<HttpReply> {
    const refusal = denial ?? unmetExpectation(exchange);
    if (refusal) return problemReply(refusal, exchange);
    try {
      return this.#options.handle(exchange);
    } catch (error) {
      return this.fault(error, exchange);
    }
  }

  /** Runs the checks that apply to each request, independently of its client. */
  #refusal(exchange: HttpExchange): ErrorData | undefined {
    if (this.#closing) {
      return shuttingDown({ retryAfter: 10 });
    }
    const { hosts, origins } = this.#options;
    return hosts?.refusal(exchange) ?? origins?.refusal(exchange);
  }

  /** Counts every request, including those that are rejected for their framing. */
  #rateFault(exchange: HttpExchange): ErrorData | undefined {
    const { requests } = this.#options;
    const wait = requests?.take(exchange.remoteAddress) ?? 0;
    if (wait === 0) return undefined;
    const message = 'Too many requests come from this address.';
    return errorData('too-many-requests', message, { retryAfter: Math.ceil(wait) });
  }
}

function isBelow(url: string, basePath: string): boolean {
  return url.startsWith(basePath) && (url.length === basePath.length || url[basePath.length] === '/');
}

/**
 * Bytes of a request line besides the method and the target, and of a header line besides the name
 * and the value.
 */
const REQUEST_LINE = ' '.length + ' HTTP/1.1\r\n'.length;
const FIELD_LINE = ': \r\n'.length;

/** Copies the head: the request object of uWebSockets.js is valid only during its callback. */
function readHead(request: UwsRequest, method: string, url: string, basePath: string): RequestHead {
  const headers: string[] = [];
  const query = request.getQuery() ?? '';
  let bytes = REQUEST_LINE + method.length + url.length + query.length;
  request.forEach((name, value) => {
    headers.push(name, value);
    bytes += FIELD_LINE + name.length + value.length;
  });
  return {
    method,
    url,
    path: basePath === '' ? url : url.slice(basePath.length) || '/',
    query,
    headers,
    bytes,
  };
}
