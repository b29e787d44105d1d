import type { HttpRequest as UwsRequest, HttpResponse as UwsResponse } from 'uWebSockets.js';
import { setImmediate } from 'node:timers/promises';
import { ByteBudget } from '../../base/byte-budget.ts';
import { type ErrorData, errorData, shuttingDown } from '../../errors.ts';
import type { TransferTasks } from '../../services/tasks/transfer-tasks.ts';
import { servedDate } from '../headers/served-date.ts';
import type { AccessPolicy } from '../middleware/access.ts';
import type { AddressLimit } from '../middleware/address-limit.ts';
import { CorsPolicy } from '../middleware/cors.ts';
import { framingError, sizeError, unmetExpectation } from '../middleware/framing.ts';
import { clientAddress } from '../middleware/ip-address.ts';
import type { KnownHosts } from '../middleware/known-hosts.ts';
import type { OriginPolicy } from '../middleware/origin-policy.ts';
import { isProbe } from '../middleware/probes.ts';
import type { TrustedProxies } from '../middleware/trusted-proxies.ts';
import { nothingAtPath, problemResponse } from '../problem.ts';
import { HttpExchange, type HttpExchangeHost, type RequestHead } from './exchange.ts';
import type { ResponseHead } from './header-lines.ts';
import { type ErrorLog, exceptionResponse } from './internal-error.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { assertFree } from './port-probe.ts';
import { givenRequestId } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import { ResponseHeadFormat } from './response-head.ts';
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
  readonly maxBufferedBodies: number;
  /** Maximum bytes of responses, other than streamed ones, that are buffered for slow clients. */
  readonly maxBufferedResponses: number;
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
  readonly log: ErrorLog;
  /** Lists bodies that take more than a moment to transfer. */
  readonly transfers: Pick<TransferTasks, 'add' | 'delete'>;
  /** Logs every request; if omitted, requests are not logged. */
  readonly requestLog?: RequestLog;
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
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
  servedDate.follow();
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

/** The uWebSockets.js adapter: turns the library's requests into exchanges and counts them. */
class UwsAdapter implements HttpExchangeHost {
  readonly uploads: UploadSettings;
  readonly responseBudget: ByteBudget;
  readonly transfers: HttpServerOptions['transfers'];
  readonly #options: HttpServerOptions;
  readonly #headFormat: ResponseHeadFormat;
  #running = 0;
  #closing = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    const { bodyTimeMs, maxBufferedBodies, allowOrigins } = options;
    this.#options = options;
    this.uploads = {
      store: new ByteBudget(maxBufferedBodies),
      watch: new UploadWatch(bodyTimeMs),
      timeoutMs: bodyTimeMs,
    };
    this.responseBudget = new ByteBudget(options.maxBufferedResponses);
    this.transfers = options.transfers;
    this.#headFormat = new ResponseHeadFormat(new CorsPolicy(allowOrigins));
  }

  get closing(): boolean {
    return this.#closing;
  }

  accept(response: UwsResponse, request: UwsRequest, method: string): void {
    this.#running++;
    const { basePath } = this.#options;
    const url = request.getUrl();
    const head = readRequestHead(request, method, url, basePath);
    const exchange = new HttpExchange(response, head, this);
    exchange.requestId = givenRequestId(exchange);
    this.#options.requestLog?.begin(exchange);
    const tooOften = this.#rateError(exchange);
    const unreadable = framingError(exchange) ?? sizeError(head);
    if (unreadable) exchange.reject(problemResponse(unreadable, exchange));
    else if (tooOften) this.#send(exchange, problemResponse(tooOften, exchange));
    else if (!isBelow(url, basePath)) exchange.respond(problemResponse(nothingAtPath, exchange));
    else this.#serve(exchange);
    if (!exchange.over) exchange.defer();
  }

  #serve(exchange: HttpExchange): void {
    const response = this.#respond(exchange);
    if (!(response instanceof Promise)) this.#send(exchange, response);
    else {
      response.then(
        (value) => this.#send(exchange, value),
        (error) => this.#send(exchange, this.exceptionResponse(error, exchange)),
      );
    }
  }

  #send(exchange: HttpExchange, response: HttpResponse): void {
    try {
      exchange.respond(response);
    } catch (error) {
      this.exceptionResponse(error, exchange);
      exchange.destroy();
    }
  }

  clientOf(connection: string, request: HttpRequest): string {
    const address = clientAddress(connection);
    return this.#options.proxies?.clientOf(address, request) ?? address;
  }

  formatHead(response: HttpResponse, request: HttpRequest): ResponseHead {
    return this.#headFormat.format(response, request);
  }

  exceptionResponse(error: unknown, request: HttpRequest): HttpResponse {
    return exceptionResponse(error, request, this.#options.log);
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

  #respond(exchange: HttpExchange): HttpResponse | Promise<HttpResponse> {
    if (isProbe(exchange.path)) return this.#handle(exchange, undefined);
    const rejected = this.#check(exchange);
    if (rejected) return problemResponse(rejected, exchange);
    const verdict = this.#options.access?.check(exchange);
    if (!(verdict instanceof Promise)) return this.#handle(exchange, verdict);
    return verdict.then((settled) => this.#handle(exchange, settled));
  }

  #handle(exchange: HttpExchange, denied: ErrorData | undefined): HttpResponse | Promise<HttpResponse> {
    const rejected = denied ?? unmetExpectation(exchange);
    if (rejected) return problemResponse(rejected, exchange);
    try {
      return this.#options.handle(exchange);
    } catch (error) {
      return this.exceptionResponse(error, exchange);
    }
  }

  /** Runs the checks that apply to each request, independently of its client. */
  #check(exchange: HttpExchange): ErrorData | undefined {
    if (this.#closing) {
      return shuttingDown({ retryAfter: 10 });
    }
    const { hosts, origins } = this.#options;
    return hosts?.check(exchange) ?? origins?.check(exchange);
  }

  /** Counts every request, including those that are rejected for their framing. */
  #rateError(exchange: HttpExchange): ErrorData | undefined {
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
function readRequestHead(request: UwsRequest, method: string, url: string, basePath: string): RequestHead {
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
