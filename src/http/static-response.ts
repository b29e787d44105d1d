import { createHash } from 'node:crypto';
import { failure } from '../errors.ts';
import { matchesTag, namesTag } from './headers/conditional.ts';
import type { Header } from './server/header.ts';
import type { HandlerResult, HttpRequest } from './server/message.ts';

/** A body that changes only with the software and its settings. */
export interface StaticBody {
  readonly body: string | Uint8Array;
  readonly entityTag: string;
  readonly headers: readonly Header[];
}

/** Returns a body with a tag of its bytes. By default clients ask whether it is current. */
export function staticBody(type: string, body: string | Uint8Array, cacheControl = 'no-cache'): StaticBody {
  const entityTag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers: Header[] = [
    ['Content-Type', type],
    ['ETag', entityTag],
    ['Cache-Control', cacheControl],
  ];
  return { body, entityTag, headers };
}

/** Responds to GET with a body, as the conditions of the request demand. */
export function staticResponse(
  request: HttpRequest,
  { body, entityTag, headers }: StaticBody,
  more: readonly Header[] = [],
): HandlerResult {
  const match = request.header('if-match');
  if (match !== undefined && !matchesTag(match, entityTag)) return hasChanged;
  const noneMatch = request.header('if-none-match');
  if (noneMatch !== undefined && namesTag(noneMatch, entityTag)) {
    return { status: 304, headers: headers.slice(1) };
  }
  return { status: 200, headers: [...headers, ...more], body };
}

const hasChanged = failure('precondition-failed', 'The text has none of the entity tags in If-Match.');
