import { ByteBudget } from '../../base/byte-budget.ts';
import { type ErrorData, errorData, shuttingDown } from '../../errors.ts';
import type { Front, RequestHead, RequestSink, ResponsePort, ShortResponse } from '../fronts/front.ts';
import { CorsPolicy } from '../middleware/cors.ts';
import { framingError, sizeError, unmetExpectation } from '../middleware/framing.ts';
import { clientAddress } from '../middleware/ip-address.ts';
import { notHere } from '../middleware/peers.ts';
import { isMonitoring, isProbe } from '../middleware/probes.ts';
import { nothingAtPath, problemResponse } from '../problem.ts';
import { HttpExchange, type HttpExchangeHost } from './exchange.ts';
import type { ResponseHead } from './header-lines.ts';
import type { HttpServerOptions } from './http-options.ts';
import { exceptionResponse } from './internal-error.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { givenRequestId } from './request-id.ts';
import { ResponseHeadFormat } from './response-head.ts';
import type { UploadSettings } from './upload.ts';
import { UploadWatch } from './upload-watch.ts';

/** Turns the requests of a front into exchanges, applies the rules for all, and counts them. */
export class ExchangeHost implements HttpExchangeHost, RequestSink {
  readonly uploads: UploadSettings;
  readonly responseBudget: ByteBudget;
  readonly transfers: HttpServerOptions['transfers'];
  readonly basePath: string;
  readonly front: Front;
  readonly #options: HttpServerOptions;
  readonly #headFormat: ResponseHeadFormat;
  #running = 0;
  #closing = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: HttpServerOptions, front: Front) {
    const { bodyTimeMs, maxBufferedBodies, allowOrigins } = options;
    this.front = front;
    this.basePath = options.basePath;
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

  accept(port: ResponsePort, head: RequestHead): void {
    this.#running++;
    const exchange = new HttpExchange(port, head, this);
    exchange.requestId = givenRequestId(exchange);
    this.#options.requestLog?.begin(exchange);
    this.#options.meter?.begin(exchange);
    this.#options.traces?.begin(exchange);
    const tooOften = this.#rateError(exchange);
    const unreadable = head.fault ?? framingError(exchange) ?? sizeError(head);
    if (unreadable) exchange.reject(problemResponse(unreadable, exchange));
    else if (tooOften) this.#send(exchange, problemResponse(tooOften, exchange));
    else if (!isBelow(head.url, this.basePath)) {
      exchange.respond(problemResponse(nothingAtPath, exchange));
    } else this.#serve(exchange);
    if (!exchange.over) exchange.defer();
  }

  refuse(error: ErrorData): ShortResponse {
    const response = problemResponse(error, unreadRequest);
    return { head: this.formatHead(response, unreadRequest), text: response.body as string };
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
    const { peers, proxies } = this.#options;
    if (peers?.trusts(request)) return peers.clientOf(request);
    const address = clientAddress(connection);
    return proxies?.clientOf(address, request) ?? address;
  }

  formatHead(response: HttpResponse, request: HeadedRequest): ResponseHead {
    return this.#headFormat.format(response, request);
  }

  exceptionResponse(error: unknown, request: HttpRequest): HttpResponse {
    return exceptionResponse(error, request, this.#options.log);
  }

  checkWrite(exchange: HttpExchange): ReturnType<HttpRequest['checkWrite']> {
    const { access } = this.#options;
    return this.#origins(exchange)?.checkWrite(exchange) ?? access?.check(exchange, 'write');
  }

  ended(exchange: HttpExchange): void {
    this.#options.requestLog?.end(exchange);
    this.#options.meter?.end(exchange);
    this.#options.traces?.end(exchange);
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
    const { peers, hosts } = this.#options;
    const isForwarded = peers?.trusts(exchange) ?? false;
    if (this.#closing && !isMonitoring(exchange.path)) {
      return isForwarded ? notHere : shuttingDown({ retryAfter: 10 });
    }
    if (isForwarded) return undefined;
    return hosts?.check(exchange) ?? this.#origins(exchange)?.check(exchange);
  }

  /** The rule for web pages. The process that forwarded a request has applied it already. */
  #origins(exchange: HttpExchange): HttpServerOptions['origins'] {
    const { peers, origins } = this.#options;
    return peers?.trusts(exchange) ? undefined : origins;
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

type HeadedRequest = Parameters<ResponseHeadFormat['format']>[1];

/** Stands for bytes that could not be read as a request. */
const unreadRequest = {
  method: 'GET',
  path: '/',
  target: '/',
  requestId: undefined,
  header: () => undefined,
};

/** The target `*` is the server itself. */
function isBelow(url: string, basePath: string): boolean {
  if (url === '*') return true;
  return url.startsWith(basePath) && (url.length === basePath.length || url[basePath.length] === '/');
}
