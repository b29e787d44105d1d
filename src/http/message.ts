import type { Result } from '../errors.ts';

/** A request as handlers see it: plain data and two functions, no socket. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Path as sent, percent-escapes untouched, beginning with `/`; the base path is already taken off. */
  readonly path: string;
  /** Query string as sent, without `?`; empty for none. */
  readonly query: string;
  /** Names in lower case; the values of repeated headers joined by `, ` in their order. */
  readonly headers: ReadonlyMap<string, string>;
  /** The client's address in text form. */
  readonly remoteAddress: string;
  /**
   * Reads the body to its end, at most `maxBytes`. Errors: `too-large`, `body-timeout`, `cancelled` (the client
   * went away), `overloaded` (the server holds too many bodies at once). Call once. `length` is what
   * `Content-Length` says.
   */
  readBody(maxBytes: number): Promise<Result<Uint8Array>>;
  /** Calls `listener` when the client goes away before the reply is complete; at once if it has gone. */
  onAbort(listener: () => void): void;
}

/** Chunks in order; the adapter asks for the next when the client has taken the last (back-pressure). */
export type BodyStream = AsyncIterable<Uint8Array>;

export interface HttpReply {
  readonly status: number;
  /** Names as they are written. Values are checked by the adapter: CR, LF and NUL are refused. */
  readonly headers: readonly (readonly [string, string])[];
  /** Absent for none. A HEAD request gets the length only. */
  readonly body?: string | Uint8Array | BodyStream;
}

export type Handler = (request: HttpRequest, rest: string) => HttpReply | Promise<HttpReply>;
