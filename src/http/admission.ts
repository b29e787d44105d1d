import { AppError, type ErrorData, toErrorData } from '../errors.ts';
import type { RequestHead } from './exchange.ts';
import type { HttpRequest } from './message.ts';

/**
 * Refuses heads that others on the way may read otherwise (RFC 9112 sections 3.2 and 6.3), and the connection with them,
 * since what comes behind may be no request. The front takes the first of several `Content-Length` headers, any transfer
 * coding for `chunked`, more than one `Host`, and anything before the first space for a method.
 */
export function framingFault(request: Pick<HttpRequest, 'method' | 'header'>): ErrorData | undefined {
  if (!token.test(request.method)) return fault('The method');
  const coding = request.header('transfer-encoding');
  const length = request.header('content-length');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return fault('Transfer-Encoding');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return fault('Content-Length');
  const host = request.header('host');
  if (host !== undefined && !hostForm.test(host)) return fault('Host');
  return undefined;
}

/** RFC 9110 section 5.6.2. */
const token = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** The characters of names, addresses and ports. Several headers are joined with a space, which is not one of them. */
const hostForm = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

function fault(name: string): ErrorData {
  return toErrorData(new AppError('bad-arguments', `${name} is not one that the server can read.`));
}

const MAX_HEAD_BYTES = 64 * 1024;

/** A head that is too long (G-16). */
export function sizeFault({ bytes }: Pick<RequestHead, 'bytes'>): ErrorData | undefined {
  if (bytes <= MAX_HEAD_BYTES) return undefined;
  const message = `Request line and header fields may have ${MAX_HEAD_BYTES} bytes at most.`;
  return toErrorData(new AppError('head-too-large', message));
}

/** Expectations other than `100-continue`, which the front answers by itself, are not met (G-94). */
export function unmetExpectation(request: Pick<HttpRequest, 'header'>): ErrorData | undefined {
  const expect = request.header('expect');
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return toErrorData(new AppError('expectation-failed', 'The only supported expectation is 100-continue.'));
}
