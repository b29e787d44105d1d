import type { Caller } from '../../base/caller.ts';
import type { ErrorCode, ErrorData, Failure, Result } from '../../errors.ts';
import type { Header } from './header.ts';
import type { FormattedHeaders } from './header-lines.ts';

/** A request as handlers see it: plain data and a few functions, without a socket. */
export interface HttpRequest extends Caller {
  /** As sent; methods are upper case. */
  readonly method: string;
  /** Path as sent, with its percent-escapes, beginning with `/`. The base path has been removed. */
  readonly path: string;
  /** Query string as sent, without `?`; empty if the target has no query. */
  readonly query: string;
  /** Path and query as sent, including the base path. */
  readonly target: string;
  /**
   * Identifies the request in the response and in the log. The client may send it (`X-Request-Id`);
   * otherwise it is made if requests are logged.
   */
  readonly requestId: string | undefined;
  /** The path of the route that serves the request, with placeholders; set by the router. */
  route?: string | undefined;
  /** Whether `checkWrite` was called: the request writes, although its head does not show it. */
  readonly mayWrite?: boolean;
  /** All header fields: name, value, name, value, …; names in lower case. */
  readonly headers: readonly string[];
  /**
   * Returns a header by its name in lower case. The values of a repeated header are joined by `, `
   * in order.
   */
  header(name: string): string | undefined;
  /**
   * Reads the whole body, up to `maxBytes`. Errors: `too-large`, `body-timeout`, `cancelled` (the
   * client disconnected), `overloaded` (the server buffers too many bodies). Call it once. A body
   * that is never read is discarded.
   */
  readBody(maxBytes: number): Promise<Result<Uint8Array>>;
  /**
   * Reserves memory for bytes that are made of the body, in addition to the body itself, when it is
   * decoded. It is released with the response. Returns false if the server cannot buffer more.
   */
  reserveBytes(bytes: number): boolean;
  /**
   * Returns the body in chunks, instead of `readBody`. Back-pressure pauses the client while no
   * chunk is requested, so a body of any size needs little memory. A chunk is valid until the next
   * one is requested. Throws the errors of `readBody`.
   */
  streamBody(maxBytes: number): IncomingBody;
  /**
   * Returns why the request must not write, or undefined if it may. If `onlyReads` classifies a
   * request as a read, the handler must call this before it writes anything.
   */
  checkWrite(): ErrorData | undefined | Promise<ErrorData | undefined>;
}

/** A request body in chunks. */
export interface IncomingBody extends AsyncIterable<Uint8Array> {
  /**
   * Iterates over the body, but does not buffer chunks that arrive faster than they are read
   * although the client is paused: `overflow` is called with them, until the iteration ends. It
   * must process a chunk before it returns.
   */
  readWithOverflow?(overflow: (chunk: Uint8Array) => void): AsyncIterable<Uint8Array>;
}

/**
 * Chunks in order. The adapter requests the next one when the client has taken the last
 * (back-pressure). A chunk is valid until then.
 */
export type BodyStream = AsyncIterable<Uint8Array>;

export interface HttpResponse {
  readonly status: number;
  /**
   * Names are sent as they are. The adapter checks the values and rejects CR, LF and NUL. An array
   * may serve many responses; it must not be changed after it was handed over.
   */
  readonly headers: readonly Header[];
  /**
   * More headers, sent after those above, in preformatted form: for responses that are sent often.
   */
  readonly lines?: FormattedHeaders;
  /** Absent if there is no body. For a HEAD request only its length is sent. */
  readonly body?: string | Uint8Array | BodyStream;
  /** Whether sending it is no task: it is itself about tasks (T-5). */
  readonly isUnlisted?: true;
  /** The error code, if the response is a problem. */
  readonly code?: ErrorCode;
  /**
   * Bytes of the body if the body itself does not show them: for a stream, or for a HEAD response
   * the length that a GET would have.
   */
  readonly length?: number;
}

/** An error that a handler returns instead of a response. The router turns it into a problem. */
export interface Rejection extends Failure {
  /** Headers in addition to those of every problem with the code. */
  readonly headers?: readonly Header[];
}

/** What a handler returns, at once or later. */
export type HandlerResult = HttpResponse | Rejection;
export type PendingResult = HandlerResult | Promise<HandlerResult>;

/** `rest` is the part of the path after the route's own path, as sent. */
export type Handler = (request: HttpRequest, rest: string) => PendingResult;

export function rejection(error: ErrorData): Rejection {
  return { ok: false, error };
}

export function isRejection(result: HandlerResult): result is Rejection {
  return 'error' in result;
}
