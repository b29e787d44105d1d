import type { HttpRequest } from './message.ts';

/** Fits UUIDs, ULIDs, trace ids and the like; excludes what needs escaping in logs or headers. */
const idForm = /^[\w.~+/=:@-]{1,128}$/;

/** The id that the client gave; undefined when there is none or it is malformed. */
export function givenRequestId(request: Pick<HttpRequest, 'header'>): string | undefined {
  const given = request.header('x-request-id');
  return given !== undefined && idForm.test(given) ? given : undefined;
}
