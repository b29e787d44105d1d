import type { ContentDamage } from '../../store/verified-files.ts';
import { jsonReply, refuseUnlessJson } from '../json-reply.ts';
import type { HttpRequest } from '../message.ts';
import { withQuery } from '../parameters.ts';
import type { Route } from '../router.ts';

/** What an operator should know of a server that answers. */
export interface Health {
  /** Content files that were found damaged, and not stored again since. */
  readonly damage: ContentDamage;
}

/** That the server answers. Damaged content changes nothing about that, so the status stays 200. */
export function healthRoutes(health: Health): Route[] {
  const show = (request: HttpRequest) =>
    refuseUnlessJson(request) ?? jsonReply(JSON.stringify({ status: 'live', damaged: health.damage }));
  return [{ path: '/health/live', methods: { GET: withQuery(show) } }];
}
