import type { HttpRequest } from './message.ts';

/**
 * Matches UUIDs, ULIDs, trace ids and the like. It excludes characters that need escaping in logs
 * or headers.
 */
const idForm = /^[\w.~+/=:@-]{1,128}$/;

/** Returns the id that the client sent, or undefined if it is missing or malformed. */
export function givenRequestId(request: Pick<HttpRequest, 'header'>): string | undefined {
  const given = request.header('x-request-id');
  return given !== undefined && idForm.test(given) ? given : undefined;
}
