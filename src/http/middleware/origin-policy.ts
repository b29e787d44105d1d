import { type ErrorData, failure } from '../../errors.ts';
import type { HttpRequest } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';
import { hostNameOf, isLoopbackName } from './host-name.ts';
import type { KnownHosts } from './known-hosts.ts';

export interface OriginPolicyOptions {
  /** External base URL, if one is configured; the default is `localhost` with the server's port. */
  readonly base: string | undefined;
  /** The scheme of the server itself. A proxy before it may use another. */
  readonly scheme: 'http' | 'https';
  readonly hosts: KnownHosts;
  /** Origins whose pages may write. `*` is ignored, because it allows only reading. */
  readonly allow: readonly string[];
}

type RequestHead = Pick<HttpRequest, 'method' | 'path' | 'header'>;

/**
 * Rejects writes that a page of another origin sends through the user's browser (cross-site request
 * forgery). Other clients send neither `Origin` nor `Sec-Fetch-Site` and are not affected.
 */
export class OriginPolicy {
  readonly #options: OriginPolicyOptions;
  readonly #baseOrigin: string | undefined;
  readonly #allowed: ReadonlySet<string>;

  constructor(options: OriginPolicyOptions) {
    this.#options = options;
    this.#baseOrigin = options.base === undefined ? undefined : new URL(options.base).origin;
    this.#allowed = new Set(options.allow.filter((origin) => origin !== '*'));
  }

  /** Returns why the request is rejected (`cross-origin`), or undefined if it is not. */
  check(request: RequestHead): ErrorData | undefined {
    return onlyReads(request) ? undefined : this.checkWrite(request);
  }

  /** Like `check`, for a request that writes whatever its head shows. */
  checkWrite(request: RequestHead): ErrorData | undefined {
    const origin = request.header('origin');
    if (origin !== undefined && this.#allowed.has(origin)) return undefined;
    const own = origin === undefined || this.#isOwn(origin, request.header('host') ?? '');
    if (own && isFromHere(request.header('sec-fetch-site'))) return undefined;
    const message =
      'Web pages from other origins must not write here. To allow an origin, use --allow-origin.';
    return failure('cross-origin', message).error;
  }

  /**
   * Whether an origin is that of the base or that of the request's own target. A page served from
   * `http://127.0.0.1:8080` may write there although the base is `http://localhost:8080`. The host
   * must be known, because an unknown name may be rebound.
   */
  #isOwn(origin: string, host: string): boolean {
    if (origin === this.#baseOrigin) return true;
    const { scheme, hosts } = this.#options;
    if (!hosts.isKnown(host)) return false;
    if (this.#isBaseHost(host)) return false;
    const target = new URL(`${scheme}://${host}`);
    if (origin === target.origin) return true;
    if (this.#baseOrigin !== undefined || !isLoopbackName(hostNameOf(host)!)) return false;
    target.hostname = 'localhost';
    return origin === target.origin;
  }

  /**
   * Whether a host is that of the base. A proxy may serve the base under https and forward requests
   * under http: only the base's own scheme counts then.
   */
  #isBaseHost(host: string): boolean {
    if (this.#baseOrigin === undefined) return false;
    const { protocol } = new URL(this.#baseOrigin);
    return new URL(`${protocol}//${host}`).origin === this.#baseOrigin;
  }
}

/** Checks `Sec-Fetch-Site`, which old browsers and other clients do not send. */
function isFromHere(site: string | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}
