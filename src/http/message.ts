import type { Caller } from '../caller.ts';
import type { ErrorCode, ErrorData, Result } from '../errors.ts';
import type { FormattedHeaders } from './header-lines.ts';

/** A request as handlers see it: plain data and a few functions, no socket. */
export interface HttpRequest extends Caller {
  /** As sent; methods are upper case. */
  readonly method: string;
  /** Path as sent, percent-escapes untouched, beginning with `/`; the base path is already taken off. */
  readonly path: string;
  /** Query string as sent, without `?`; empty for none. */
  readonly query: string;
  /** Path and query as sent, base path included. */
  readonly target: string;
  /**
   * Identifies the request in the reply and in the log. Given by the client (`X-Request-Id`), or
   * made when requests are logged.
   */
  readonly requestId: string | undefined;
  /** A header by its name in lower case; the values of a repeated one joined by `, ` in their order. */
  header(name: string): string | undefined;
  /**
   * Reads the body to its end, at most `maxBytes`. Errors: `too-large`, `body-timeout`, `cancelled` (the client
   * went away), `overloaded` (the server holds too many bodies at once). Call once. A body that is never read is
   * thrown away.
   */
  readBody(maxBytes: number): Promise<Result<Uint8Array>>;
  /**
   * Takes room for bytes that are made of the body, beside those of the body itself: when it is
   * unpacked. It is given back with the reply. False when the server holds as many as it can.
   */
  holdBytes(bytes: number): boolean;
  /**
   * The body piece by piece, in place of `readBody`: the client is held back while nobody asks for more, so a body of any
   * size takes little room. A piece is valid until the next is asked for. Throws the errors of `readBody`.
   */
  streamBody(maxBytes: number): IncomingBody;
  /**
   * Why the request may not write; undefined when it may. Must be asked before anything is
   * written for a request that `onlyReads` takes for one that reads.
   */
  writeRefusal(): ErrorData | undefined | Promise<ErrorData | undefined>;
}

/** A body on its way in, piece by piece. */
export interface IncomingBody extends AsyncIterable<Uint8Array> {
  /**
   * Set by the reader: called with the next piece, in place of its being kept for the iteration, when pieces come faster
   * than they are taken although the client is held back. The piece must be dealt with before the call returns.
   */
  onFlood?: ((piece: Uint8Array) => void) | undefined;
}

/** Chunks in order; the adapter asks for the next when the client has taken the last (back-pressure). A chunk is valid until then. */
export type BodyStream = AsyncIterable<Uint8Array>;

export type Header = readonly [name: string, value: string];

export interface HttpReply {
  readonly status: number;
  /**
   * Names as they are written. Values are checked by the adapter: CR, LF and NUL are refused. An array may serve
   * many replies, and is not changed once it was handed over.
   */
  readonly headers: readonly Header[];
  /** More headers, which follow those, formatted beforehand: for replies that are sent often. */
  readonly lines?: FormattedHeaders;
  /** Absent for none. A HEAD request gets the length only. */
  readonly body?: string | Uint8Array | BodyStream;
  /** The error code, if the reply is a problem. */
  readonly code?: ErrorCode;
  /** Bytes of the body where the body itself does not tell: of a stream, or of what GET would give to a HEAD. */
  readonly length?: number;
}

/** `rest` is what the path holds beyond the route's own part, as sent. */
export type Handler = (request: HttpRequest, rest: string) => HttpReply | Promise<HttpReply>;
