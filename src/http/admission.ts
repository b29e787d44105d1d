import { AppError, type ErrorData, toErrorData } from '../errors.ts';
import type { RequestHead } from './exchange.ts';
import type { HttpRequest } from './message.ts';

/**
 * What stands in a request's head against looking at it at all. The front takes the first of several
 * `Content-Length` headers and any transfer coding for `chunked`, and more than one `Host`; what others on the way may
 * read otherwise is refused (RFC 9112 sections 6.3 and 3.2), and the connection with it.
 */
export function framingFault(request: Pick<HttpRequest, 'header'>): ErrorData | undefined {
  const coding = request.header('transfer-encoding');
  const length = request.header('content-length');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return fault('Transfer-Encoding');
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return fault('Content-Length');
  const host = request.header('host');
  if (host !== undefined && !hostForm.test(host)) return fault('Host');
  return undefined;
}

/** The characters of names, addresses and ports. Several headers come with a space between them, which is none. */
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
  return toErrorData(new AppError('expectation-failed', 'The server meets no expectation but 100-continue.'));
}
