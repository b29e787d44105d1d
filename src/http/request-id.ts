import type { HttpRequest } from './message.ts';

/** What ids are made of: UUIDs, ULIDs, trace ids and the like, and nothing that a log or a header could trip over. */
const idForm = /^[\w.~+/=:@-]{1,128}$/;

/** The id that the client gave the request; undefined when there is none, or none that is fit to be sent back. */
export function givenRequestId(request: Pick<HttpRequest, 'header'>): string | undefined {
  const given = request.header('x-request-id');
  return given !== undefined && idForm.test(given) ? given : undefined;
}
