import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../errors.ts';
import type { HttpRequest } from './message.ts';
import { onlyReads } from './only-reads.ts';
import { shownTarget } from './shown-target.ts';

/** The log for requests. */
export interface InfoLog {
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

/** How a request ended. */
export interface Outcome {
  /** Null if the client disconnected before there was a response. */
  readonly status: number | null;
  /** Bytes of the response's body that were sent. */
  readonly bytes: number;
  /** The error code, if the response is a problem. */
  readonly code: ErrorCode | undefined;
  /** True if the connection ended before the response was complete. */
  readonly aborted: boolean;
}

/** A request as the log sees it. */
export interface LoggedRequest extends HttpRequest {
  requestId: string | undefined;
  /** Valid once the request has ended. */
  readonly outcome: Outcome;
}

/** All methods that the server knows are shorter. */
const MAX_METHOD_LENGTH = 32;

interface Begun {
  readonly client: string;
  readonly at: number;
}

/**
 * Logs each request when it has ended, with an additional line for rejected writes and for 5xx, as
 * long as the level of the log is at least `info`.
 */
export class RequestLog {
  readonly #log: InfoLog;
  readonly #begun = new Map<LoggedRequest, Begun>();

  constructor(log: InfoLog) {
    this.#log = log;
  }

  /** Sets the request's id if it does not have one. */
  begin(request: LoggedRequest): void {
    if (!this.#log.isLevelEnabled('info')) return;
    request.requestId ??= randomUUID();
    const client = request.remoteAddress;
    this.#begun.set(request, { client, at: performance.now() });
    if (!this.#log.isLevelEnabled('debug')) return;
    this.#log.debug({ event: 'request-begun', ...describe(request, client) }, 'A request has started.');
  }

  end(request: LoggedRequest): void {
    const begun = this.#begun.get(request);
    if (!begun) return;
    this.#begun.delete(request);
    const { status, bytes, code, aborted } = request.outcome;
    const fields = { ...describe(request, begun.client), status, ...(code && { code }) };
    if (status !== null && status >= 400 && !onlyReads(request)) {
      this.#log.info({ event: 'write-refused', ...fields }, 'A write was rejected.');
    } else if (status !== null && status >= 500) {
      this.#log.info({ event: 'request-failed', ...fields }, 'A request failed.');
    }
    const duration = Math.round((performance.now() - begun.at) * 1000) / 1000;
    this.#log.info({ event: 'request', ...fields, bytes, duration, ...(aborted && { aborted }) }, 'request');
  }
}

/** A trace, as W3C Trace Context names it. */
const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

function describe(request: LoggedRequest, client: string) {
  const { requestId, method, target, user } = request;
  const traceId = traceParent.exec(request.header('traceparent') ?? '')?.[1];
  return {
    requestId,
    method: method.slice(0, MAX_METHOD_LENGTH),
    target: shownTarget(target),
    client,
    ...(user !== undefined && { user }),
    ...(traceId && { traceId }),
  };
}
