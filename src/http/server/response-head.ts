import { STATUS_CODES } from 'node:http';
import type { CorsPolicy } from '../middleware/cors.ts';
import type { Header } from './header.ts';
import { formatLines, headBytes, type ResponseHead } from './header-lines.ts';
import type { HttpRequest, HttpResponse } from './message.ts';

/** The part of a front that receives a head. */
export interface ResponseHeadPort {
  /**
   * Accepts the whole head, as `ResponseHeadFormat` makes it. Each call into uWebSockets.js costs
   * more than joining strings. It copies the text unchanged and adds a line end.
   */
  writeStatus(head: ResponseHead): unknown;
  writeHeader(name: string, value: string): unknown;
}

type HeadedRequest = Pick<HttpRequest, 'method' | 'path' | 'header' | 'requestId'>;

const FIRST = '\r\nX-Content-Type-Options: nosniff';

/**
 * Formats the status and headers of a response, and the headers that every response has, for the
 * fronts. The last result is cached: the busiest endpoints use the same array every time.
 */
export class ResponseHeadFormat {
  readonly #cors: CorsPolicy;
  /** Beginnings of heads, by the headers that every response has and by status. */
  readonly #beginnings = new Map<readonly Header[], string[]>();
  #beginning: string | undefined;
  #headers: readonly Header[] | undefined;
  #head: ResponseHead = '';

  constructor(cors: CorsPolicy) {
    this.#cors = cors;
  }

  /** Throws on a value that contains a line end or NUL. The result is valid until the next call. */
  format({ status, headers, lines }: HttpResponse, request: HeadedRequest): ResponseHead {
    const { requestId } = request;
    const common = this.#begin(status, this.#cors.headersFor(request));
    const beginning = requestId === undefined ? common : `${common}\r\nX-Request-Id: ${requestId}`;
    if (lines !== undefined) {
      return this.#finish(lines.after(headers.length === 0 ? beginning : beginning + formatLines(headers)));
    }
    if (headers !== this.#headers || beginning !== this.#beginning) {
      this.#head = this.#finish(beginning + formatLines(headers));
      this.#headers = headers;
      this.#beginning = beginning;
    } else if (typeof this.#head === 'string') this.#head = headBytes(this.#head);
    return this.#head;
  }

  #finish(head: ResponseHead): ResponseHead {
    return this.#cors.varies ? withOneVary(head) : head;
  }

  /** Always returns the same string for the same headers and status. */
  #begin(status: number, common: readonly Header[]): string {
    let byStatus = this.#beginnings.get(common);
    if (byStatus === undefined) {
      byStatus = [];
      this.#beginnings.set(common, byStatus);
    }
    byStatus[status] ??= `${status} ${STATUS_CODES[status] ?? ''}${FIRST}${formatLines(common)}`;
    return byStatus[status];
  }
}

const VARY = '\r\nVary: ';

/**
 * Joins two lines of `Vary`, because nginx before 1.23 heeds only the last one when it caches
 * (G-25).
 */
function withOneVary(head: ResponseHead): ResponseHead {
  const text = typeof head === 'string' ? head : Buffer.from(head).toString();
  const first = text.indexOf(VARY);
  const second = text.indexOf(VARY, first + VARY.length);
  if (second === -1) return head;
  const end = text.indexOf('\r\n', second + VARY.length);
  const line = text.slice(second, end === -1 ? text.length : end);
  const others = text.slice(0, second) + text.slice(second + line.length);
  return `${others.slice(0, first)}${line}, ${others.slice(first + VARY.length)}`;
}
