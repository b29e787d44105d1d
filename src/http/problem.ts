import { STATUS_CODES } from 'node:http';
import { type ErrorCode, type ErrorData, errorData } from '../errors.ts';
import { negotiate } from '../rdf/media-types/accept.ts';
import { BASIC, bearerChallenge } from './middleware/challenges.ts';
import { type Header, plainText } from './server/header.ts';
import type { HttpRequest, HttpResponse } from './server/message.ts';

/**
 * The status of every error code (http-api 1.10). Codes that occur only at start-up count as
 * internal errors.
 */
const statusOf = {
  'bad-iri': 400,
  'missing-parameter': 400,
  'bad-query': 400,
  'parse-error': 400,
  'unknown-prefix': 400,
  'unknown-function': 400,
  'bad-arguments': 400,
  'remote-context': 400,
  'empty-body': 400,
  'bad-path': 400,
  unauthorized: 401,
  forbidden: 403,
  'cross-origin': 403,
  'not-found': 404,
  'graph-not-found': 404,
  'graph-exists': 409,
  'resource-not-found': 404,
  'content-not-found': 404,
  'function-not-found': 404,
  'program-not-found': 404,
  'task-not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'body-timeout': 408,
  'head-timeout': 408,
  'bad-interaction-model': 400,
  gone: 410,
  'position-gone': 410,
  'constraint-violation': 409,
  'type-conflict': 409,
  'container-not-empty': 409,
  'parent-not-container': 409,
  'parent-gone': 409,
  'reserved-name': 409,
  'unsupported-patch': 422,
  'unsupported-sparql': 422,
  'bad-term': 422,
  'precondition-required': 428,
  'server-managed': 409,
  'ldp-managed': 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media-type': 415,
  'unsupported-coding': 415,
  'bad-range': 416,
  'expectation-failed': 417,
  misdirected: 421,
  quarantined: 422,
  'too-many-requests': 429,
  'head-too-large': 431,
  internal: 500,
  'unknown-method': 501,
  overloaded: 503,
  loading: 503,
  cancelled: 503,
  'shutting-down': 503,
  'writes-disabled': 503,
  unavailable: 503,
  'outcome-unknown': 502,
  'keys-unavailable': 503,
  'budget-exceeded': 504,
  'time-limit': 504,
  'sparql-unavailable': 503,
  'store-full': 507,
  'data-damaged': 500,
  'newer-format': 500,
  'data-locked': 500,
} as const satisfies Record<ErrorCode, number>;

/** Returns the status of an error code. */
export function statusOfCode(code: ErrorCode): number {
  return statusOf[code];
}

export const nothingAtPath = errorData('not-found', 'There is nothing at this path.');

const NEUTRAL = 'An internal error occurred.';

type RequestHead = Pick<HttpRequest, 'header' | 'target' | 'requestId'>;

/**
 * Returns an error response: `application/problem+json` if the client accepts that, otherwise one
 * line of text. The details of an internal error stay in the log; the client gets a neutral
 * sentence, with `faultId` if there is one.
 */
export function problemResponse(
  error: ErrorData,
  request: RequestHead,
  extraHeaders: readonly Header[] = [],
  faultId?: string,
): HttpResponse {
  const { code } = error;
  const status = statusOf[code];
  const title = STATUS_CODES[status]!;
  const detail = detailOf(error, faultId);
  const headers = [...problemHeaders(error), ...extraHeaders];
  if (!takesJson(request.header('accept'))) {
    const line = `${status} ${title}: ${inOneLine(detail)}\n`;
    return { status, headers: [plainText, ...headers], body: line, code };
  }
  const { target: instance, requestId } = request;
  const problem = { type: 'about:blank', title, status, detail, instance, code, requestId };
  const retryAfter = retryAfterOf(error);
  const { challenges: _, ...shown } = error.details;
  const details = { ...shown, ...(retryAfter !== undefined && { retryAfter }) };
  const body = JSON.stringify({ ...problem, ...(status !== 500 && details) });
  return { status, headers: [['Content-Type', 'application/problem+json'], ...headers], body, code };
}

/**
 * Replaces white space that contains line ends by one space. The text may contain client input, so
 * it is scanned only once.
 */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space));
}

/**
 * Returns the part of an error that the client sees. For an internal error that is only the id
 * under which it is logged.
 */
export function detailOf(error: ErrorData, faultId?: string): string {
  if (statusOf[error.code] !== 500) return error.message;
  return faultId === undefined ? NEUTRAL : `${NEUTRAL} It is logged as ${faultId}.`;
}

function problemHeaders(error: ErrorData): Header[] {
  const headers: Header[] = [
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept'],
  ];
  const { available } = error.details;
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) headers.push(['Retry-After', String(retryAfter)]);
  if (error.code === 'unsupported-media-type' && available) headers.push(['Accept', available.join(', ')]);
  for (const challenge of challengesOf(error)) headers.push(['WWW-Authenticate', challenge]);
  if (error.code === 'unsupported-coding') {
    headers.push(['Accept-Encoding', available?.join(', ') ?? 'gzip, identity']);
  }
  return headers;
}

/**
 * Seconds to wait when the right time is unknown: after a cancellation, or until the operator has
 * repaired the disk.
 */
const SOME_TIME = 30;
/** Seconds until another attempt to reach a shared log, which heals by itself, is worthwhile. */
const SHORT_TIME = 1;

/** Returns whole seconds. Every 503 response has them (http-api 1.10). */
function retryAfterOf({ code, details }: ErrorData): number | undefined {
  if (details.retryAfter !== undefined) return Math.ceil(details.retryAfter);
  if (code === 'unavailable') return SHORT_TIME;
  return statusOf[code] === 503 ? SOME_TIME : undefined;
}

/**
 * A line for each, because a comma separates both challenges and their parameters, so that many
 * clients read one challenge of a line only (G-25).
 */
function challengesOf({ code, details }: ErrorData): readonly string[] {
  return details.challenges ?? (code === 'unauthorized' ? [BASIC, bearerChallenge()] : []);
}

const jsonForms = [{ type: 'application/problem+json' }, { type: 'application/json' }];

function takesJson(accept: string | undefined): boolean {
  return accept === undefined || negotiate(accept, jsonForms) !== undefined;
}
