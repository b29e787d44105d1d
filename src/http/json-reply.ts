import { AppError, toErrorData } from '../errors.ts';
import { negotiate } from '../rdf/media-types/accept.ts';
import { problemReply } from './problem.ts';
import type { Header } from './server/header.ts';
import type { HttpReply, HttpRequest } from './server/message.ts';

const candidates = [{ type: 'application/json' }];

/** Returns a 406 response if the client's `Accept` excludes JSON; undefined otherwise. */
export function refuseUnlessJson(request: HttpRequest): HttpReply | undefined {
  const accept = request.header('accept');
  if (accept === undefined || accept === 'application/json' || accept === '*/*') return undefined;
  if (negotiate(accept, candidates)) return undefined;
  const available = ['application/json'];
  const error = new AppError('not-acceptable', 'The response is available as JSON only.', { available });
  return problemReply(toErrorData(error), request);
}

/** Returns a 200 response with JSON that must not be cached (T-1, P-4). */
export function jsonReply(body: string | Uint8Array): HttpReply {
  return { status: 200, headers: noStoreHeaders, body };
}

const noStoreHeaders: readonly Header[] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
];
