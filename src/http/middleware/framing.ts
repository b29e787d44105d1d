import { type ErrorData, errorData } from '../../errors.ts';
import type { RequestHead } from '../fronts/front.ts';
import type { HttpRequest } from '../server/message.ts';

/**
 * Rejects heads that an intermediary may parse differently (RFC 9112 sections 3.2 and 6.3). The
 * connection is closed as well, because the bytes that follow may not be a request. uWebSockets.js
 * uses the first of several `Content-Length` headers, treats any transfer coding as `chunked`,
 * accepts more than one `Host`, and accepts anything before the first space as a method.
 */
export function framingError(request: Pick<HttpRequest, 'method' | 'header'>): ErrorData | undefined {
  if (!token.test(request.method)) return malformed('The method');
  const coding = request.header('transfer-encoding');
  const length = request.header('content-length');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return malformed('Transfer-Encoding');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return malformed('Content-Length');
  const host = request.header('host');
  if (host !== undefined && !isHost(host)) return malformed('Host');
  return undefined;
}

export function isHost(text: string): boolean {
  return hostForm.test(text);
}

/** RFC 9110 section 5.6.2. */
const token = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/**
 * The characters of names, addresses and ports. Repeated headers are joined with a space, which is
 * not among them.
 */
const hostForm = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

export function malformed(name: string): ErrorData {
  return errorData('bad-arguments', `${name} is malformed or not supported.`);
}

const MAX_HEAD_BYTES = 64 * 1024;
/** Header fields of a request: the maximum of uWebSockets.js. */
export const MAX_FIELDS = 98;

/** Rejects a head that is too long (G-16). */
export function sizeError({ bytes, headers }: Pick<RequestHead, 'bytes' | 'headers'>): ErrorData | undefined {
  if (bytes <= MAX_HEAD_BYTES && headers.length <= 2 * MAX_FIELDS) return undefined;
  const message = `The request line and header fields must not exceed ${MAX_HEAD_BYTES} bytes and ${MAX_FIELDS} fields.`;
  return errorData('head-too-large', message);
}

/** Rejects expectations other than `100-continue` (G-94). The front handles that one. */
export function unmetExpectation(request: Pick<HttpRequest, 'header'>): ErrorData | undefined {
  const expect = request.header('expect');
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return errorData('expectation-failed', 'The only supported expectation is 100-continue.');
}
