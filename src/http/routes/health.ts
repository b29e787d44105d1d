import { errorData, failure, shuttingDown } from '../../errors.ts';
import { negotiate } from '../../rdf/media-types/accept.ts';
import type { Hindrance, ServerHealth } from '../../services/health/server-health.ts';
import { endpoint } from '../description/endpoint.ts';
import type { FrontName } from '../fronts/known-fronts.ts';
import { jsonResponse, rejectUnlessJson } from '../json-response.ts';
import { withQuery } from '../parameters.ts';
import type { Query } from '../query.ts';
import { plainText } from '../server/header.ts';
import { type HandlerResult, type HttpRequest, type HttpResponse, rejection } from '../server/message.ts';
import type { Route } from '../server/router.ts';
import { forWholeView } from '../whole-view.ts';
import { pingServer, readHealth, readLiveness, readReadiness } from './health-operations.ts';

/** What `/health` says of the process. */
export interface ServerInfo {
  readonly version: string;
  /** The version of Node.js. */
  readonly node: string;
  readonly front: FrontName;
}

type Health = Pick<ServerHealth, 'damage' | 'hindrances'>;

/** Seconds after which a monitor may ask again. */
const RETRY_AFTER = 5;
/** The error of requests that arrive before the data are loaded. */
export const loading = errorData('loading', 'The server is loading its data.', { retryAfter: RETRY_AFTER });

/**
 * Routes for orchestrators and monitors (http-api 6.6). They exist while the data are loading, and
 * ignore `Accept`, because a monitor would take a 406 for the state of the server.
 */
export function probeRoutes(health: Health): Route[] {
  const live = () => jsonResponse('{"status":"live"}');
  const ready = () => readiness(health.hindrances());
  const ping = (request: HttpRequest, query: Query) => pong(health.hindrances(), request, query);
  return [
    { path: '/health/live', methods: { GET: endpoint(live, readLiveness) } },
    { path: '/health/ready', methods: { GET: endpoint(ready, readReadiness) } },
    { path: '/ping', methods: { GET: endpoint(withQuery(ping), pingServer) } },
  ];
}

/** The route for operators. Its status is always 200. */
export function healthRoutes(health: Health, info: ServerInfo): Route[] {
  const show = (request: HttpRequest) => {
    const state = { ...stateOf(health.hindrances()), damaged: health.damage };
    const details = { ...state, ...info, uptime: Math.floor(process.uptime()) };
    return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(details));
  };
  return [{ path: '/health', methods: { GET: endpoint(forWholeView(withQuery(show)), readHealth) } }];
}

function stateOf(reasons: readonly Hindrance[]) {
  return { status: reasons.length === 0 ? 'ready' : 'not-ready', reasons };
}

function readiness(reasons: readonly Hindrance[]): HttpResponse {
  const response = jsonResponse(JSON.stringify(stateOf(reasons)));
  if (reasons.length === 0) return response;
  return { ...response, status: 503, headers: [...response.headers, ['Retry-After', String(RETRY_AFTER)]] };
}

const pingForms = [{ type: 'application/json' }, { type: 'text/plain' }];
const notAPingForm = failure('not-acceptable', 'The response is available as JSON and as plain text.', {
  available: pingForms.map(({ type }) => type),
});

/** Answers as Marmotta's `/ping` answers a client without credentials. */
function pong(reasons: readonly Hindrance[], request: HttpRequest, query: Query): HandlerResult {
  const stopped = reasons.some(({ reason }) => reason === 'shutting-down');
  if (stopped) return rejection(shuttingDown({ retryAfter: RETRY_AFTER }));
  if (reasons.some(({ reason }) => reason === 'loading')) return rejection(loading);
  const form = negotiate(request.header('accept'), pingForms);
  if (!form) return notAPingForm;
  const message = query.get('echo') ?? 'pong';
  const json = jsonResponse(JSON.stringify({ message }));
  if (form.type === 'application/json') return json;
  return { ...json, headers: [plainText, ['Cache-Control', 'no-store']], body: `Message: ${message}\n` };
}
