import { STATUS_CODES } from 'node:http';
import type { CorsPolicy } from './cors.ts';
import { formatLines, type Head, headBytes } from './header-lines.ts';
import type { Header, HttpReply, HttpRequest } from './message.ts';

/** The part of the front's response that takes a head. */
export interface HeadPort {
  /**
   * Takes the whole head, as `HeadFormat` makes it: each call into the front costs more than joining does, and the front
   * copies what it is given as it is, and a line end behind it.
   */
  writeStatus(head: Head): unknown;
  writeHeader(name: string, value: string): unknown;
}

const FIRST = '\r\nX-Content-Type-Options: nosniff';

/**
 * Puts status and headers of a reply, and the headers that every reply carries, in the form in which the front takes
 * them. The last result is kept: the busiest endpoints hand over the same array every time.
 */
export class HeadFormat {
  readonly #cors: CorsPolicy;
  /** How heads begin, by the headers that every reply carries and by status. */
  readonly #beginnings = new Map<readonly Header[], string[]>();
  #beginning: string | undefined;
  #headers: readonly Header[] | undefined;
  #head: Head = '';

  constructor(cors: CorsPolicy) {
    this.#cors = cors;
  }

  /** Throws on a value with a line end or NUL in it. The result is good until the next is made. */
  format({ status, headers, lines }: HttpReply, request: HttpRequest): Head {
    const { requestId } = request;
    const common = this.#begin(status, this.#cors.headersFor(request));
    const beginning = requestId === undefined ? common : `${common}\r\nX-Request-Id: ${requestId}`;
    if (lines !== undefined) {
      return lines.after(headers.length === 0 ? beginning : beginning + formatLines(headers));
    }
    if (headers !== this.#headers || beginning !== this.#beginning) {
      this.#head = beginning + formatLines(headers);
      this.#headers = headers;
      this.#beginning = beginning;
    } else if (typeof this.#head === 'string') this.#head = headBytes(this.#head);
    return this.#head;
  }

  /** The same string for the same headers and status, always. */
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
