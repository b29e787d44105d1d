import type { TransferTasks } from '../../services/tasks/transfer-tasks.ts';
import type { Address, Front } from '../fronts/front.ts';
import type { FrontName } from '../fronts/known-fronts.ts';
import type { AccessPolicy } from '../middleware/access.ts';
import type { AddressLimit } from '../middleware/address-limit.ts';
import type { KnownHosts } from '../middleware/known-hosts.ts';
import type { OriginPolicy } from '../middleware/origin-policy.ts';
import type { Peers } from '../middleware/peers.ts';
import type { RequestMeter } from '../middleware/request-meter.ts';
import type { RequestTraces } from '../middleware/request-traces.ts';
import type { TrustedProxies } from '../middleware/trusted-proxies.ts';
import type { ErrorLog } from './internal-error.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { RequestLog } from './request-log.ts';

export interface HttpServerOptions extends Address {
  /** The HTTP library; if omitted, uWebSockets.js where it can be loaded. */
  readonly front?: FrontName;
  /** Loads uWebSockets.js; tests replace it. */
  readonly loadUws?: () => Promise<Front>;
  /** Path of the base URI, without a trailing slash; empty if it has none. */
  readonly basePath: string;
  /** Origins whose pages may read responses (see `CorsPolicy`). */
  readonly allowOrigins: readonly string[];
  /** Maximum time between two chunks of a body. */
  readonly bodyTimeMs: number;
  /** Maximum bytes of request bodies that are buffered at once. */
  readonly maxBufferedBodies: number;
  /** Maximum bytes of responses, other than streamed ones, that are buffered for slow clients. */
  readonly maxBufferedResponses: number;
  /** Access control; if omitted, everybody may do everything. */
  readonly access?: AccessPolicy;
  /** Host names that the server accepts; all names if omitted. */
  readonly hosts?: KnownHosts;
  /** Origins whose pages may write; all origins if omitted. */
  readonly origins?: OriginPolicy;
  /** The rate limit of each address; no limit if omitted. */
  readonly requests?: AddressLimit;
  /** Proxies that are trusted to name the client; none if omitted. */
  readonly proxies?: TrustedProxies;
  /** The other processes of the cluster; none if omitted. */
  readonly peers?: Peers;
  readonly log: ErrorLog;
  /** Lists bodies that take more than a moment to transfer. */
  readonly transfers: Pick<TransferTasks, 'add' | 'delete'>;
  /** Logs every request; if omitted, requests are not logged. */
  readonly requestLog?: RequestLog;
  /** Counts every request; if omitted, requests are not counted. */
  readonly meter?: RequestMeter;
  /** Makes a span of every request; if omitted, requests are not traced. */
  readonly traces?: RequestTraces;
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}
