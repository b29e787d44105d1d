import { type Failure, failure } from '../errors.ts';
import { negotiate } from '../rdf/media-types/accept.ts';
import type { Header } from './server/header.ts';
import type { HttpRequest, HttpResponse } from './server/message.ts';

const candidates = [{ type: 'application/json' }];

/** Returns the error 406 if the client's `Accept` excludes JSON; undefined otherwise. */
export function rejectUnlessJson(request: HttpRequest): Failure | undefined {
  const accept = request.header('accept');
  if (accept === undefined || accept === 'application/json' || accept === '*/*') return undefined;
  return negotiate(accept, candidates) ? undefined : onlyJson;
}

const onlyJson = failure('not-acceptable', 'The response is available as JSON only.', {
  available: ['application/json'],
});

/** Returns a 200 response with JSON that must not be cached (T-1, P-4). */
export function jsonResponse(body: string | Uint8Array): HttpResponse {
  return { status: 200, headers: noStoreHeaders, body };
}

const noStoreHeaders: readonly Header[] = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-store'],
];
