import { STATUS_CODES } from 'node:http';
import type { CorsPolicy } from './cors.ts';
import { formatLines } from './header-lines.ts';
import type { Header, HttpReply, HttpRequest } from './message.ts';

/** The part of the front's response that takes a head. */
export interface HeadPort {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
}

const FIRST_NAME = 'X-Content-Type-Options';
const FIRST_VALUE = 'nosniff';

const statusLines: string[] = [];
for (const [code, phrase] of Object.entries(STATUS_CODES)) statusLines[Number(code)] = `${code} ${phrase}`;

/**
 * Puts the headers of a reply, and those that every reply carries, in the form in which `writeHead` takes them.
 * The last result is kept: the busiest endpoints hand over the same array every time.
 */
export class HeadFormat {
  readonly #cors: CorsPolicy;
  #headers: readonly Header[] | undefined;
  #common: readonly Header[] | undefined;
  #text = '';

  constructor(cors: CorsPolicy) {
    this.#cors = cors;
  }

  /** Throws on a value with a line end or NUL in it. */
  format({ headers, lines }: Pick<HttpReply, 'headers' | 'lines'>, request: HttpRequest): string {
    const common = this.#cors.headersFor(request);
    if (headers !== this.#headers || common !== this.#common) {
      this.#text = FIRST_VALUE + formatLines(common) + formatLines(headers);
      this.#headers = headers;
      this.#common = common;
    }
    return lines === undefined ? this.#text : lines.after(this.#text);
  }
}

/**
 * Writes status and headers, given as `HeadFormat` makes them. All go in one call, as if they were part of the
 * first one's value: each call into the front costs more than joining does, and the front copies name, colon,
 * value and line end as they are.
 */
export function writeHead(port: HeadPort, status: number, headers: string): void {
  if (status !== 200) port.writeStatus(statusLines[status] ?? String(status));
  port.writeHeader(FIRST_NAME, headers);
}
