import type { LdPathService } from '../../services/ldpath.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { problemReply } from '../problem.ts';

/** What is said of a request after its target is known to exist, and its parameters to be right (http-api 1.10). */
const afterTarget: ReadonlySet<number> = new Set([400, 406, 413, 415]);

/**
 * The reply, but that a start resource which does not exist is told before what is wrong with `Accept` or with the body
 * (P-2, http-api 1.10). Looked for only then, since a thread that evaluates finds it out by itself.
 */
export function targetFirst(
  service: Pick<LdPathService, 'missing'>,
  starts: readonly string[],
  request: HttpRequest,
  reply: HttpReply,
): HttpReply {
  const missing = afterTarget.has(reply.status) ? service.missing(starts) : undefined;
  return missing ? problemReply(missing, request) : reply;
}
