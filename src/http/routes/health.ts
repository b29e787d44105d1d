import type { ContentDamage } from '../../store/content/verified-files.ts';
import { endpoint } from '../description/endpoint.ts';
import { jsonResponse, rejectUnlessJson } from '../json-response.ts';
import { withQuery } from '../parameters.ts';
import type { HttpRequest } from '../server/message.ts';
import type { Route } from '../server/router.ts';
import { readLiveness } from './health-operations.ts';

/** The information for the operator of a running server. */
export interface Health {
  /** Content files that were found damaged and have not been stored again since. */
  readonly damage: ContentDamage;
}

/**
 * Routes that show that the server is running. Damaged content does not change that, so the status
 * stays 200.
 */
export function healthRoutes(health: Health): Route[] {
  const show = (request: HttpRequest) =>
    rejectUnlessJson(request) ?? jsonResponse(JSON.stringify({ status: 'live', damaged: health.damage }));
  return [{ path: '/health/live', methods: { GET: endpoint(withQuery(show), readLiveness) } }];
}
