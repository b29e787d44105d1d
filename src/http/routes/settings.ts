import { endpoint } from '../description/endpoint.ts';
import { jsonResponse, rejectUnlessJson } from '../json-response.ts';
import { withQuery } from '../parameters.ts';
import type { HttpRequest } from '../server/message.ts';
import type { Route } from '../server/router.ts';
import { forWholeView } from '../whole-view.ts';
import { readSettings } from './settings-operation.ts';

interface Settings {
  /** Without secrets. */
  toJson(): string;
}

/**
 * The route of the settings in force (http-api 6.11). Access control knows that it is for users
 * only.
 */
export function settingsRoutes(settings: Settings): Route[] {
  const show = (request: HttpRequest) => rejectUnlessJson(request) ?? jsonResponse(settings.toJson());
  return [{ path: '/settings', methods: { GET: endpoint(forWholeView(withQuery(show)), readSettings) } }];
}
