import { type ErrorData, failure } from '../../errors.ts';
import type { HttpRequest } from '../server/message.ts';
import { hostNameOf, isAddress, isLoopbackName } from './host-name.ts';

export interface KnownHostsOptions {
  /** External base URL, if one is configured. */
  readonly base: string | undefined;
  /** The address that the server listens on. */
  readonly listen: string;
  /** Additional host names. */
  readonly allow: readonly string[];
}

/** Number of `Host` values cached as known, so that most requests need only one lookup. */
const REMEMBERED = 64;
const allAddresses: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '[::]']);

/**
 * The host names that the server accepts: loopback, the base's, the address that it listens on, and
 * those that the operator allows. This prevents DNS rebinding: a page can make its own name resolve
 * to this server, and the browser then treats both as one origin, but the name is not a known one.
 */
export class KnownHosts {
  readonly #names = new Set<string>();
  /**
   * True if the server listens on all addresses of the machine. Any address is safe: only names can
   * be rebound.
   */
  readonly #anyAddress: boolean;
  readonly #remembered = new Set<string>();

  constructor({ base, listen, allow }: KnownHostsOptions) {
    const address = listen.includes(':') ? `[${listen}]` : listen;
    const authorities = [address, ...allow];
    if (base !== undefined) authorities.push(new URL(base).host);
    for (const authority of authorities) {
      const name = hostNameOf(authority);
      if (name !== undefined) this.#names.add(name);
    }
    this.#anyAddress = allAddresses.has(hostNameOf(address));
  }

  /** Returns why the request is rejected (`misdirected`), or undefined if it names a known host. */
  check(request: Pick<HttpRequest, 'header'>): ErrorData | undefined {
    const host = request.header('host') ?? '';
    if (this.#remembered.has(host) || this.isKnown(host)) return undefined;
    const name = hostNameOf(host);
    const message =
      name === undefined
        ? 'The Host header does not name a host.'
        : `This server does not serve the host name ${name}. To allow it, start the server with --allow-host ${name}.`;
    return failure('misdirected', message).error;
  }

  /** `authority`: a host name, optionally with a port, which is ignored. */
  isKnown(authority: string): boolean {
    const name = hostNameOf(authority);
    if (name === undefined) return false;
    const known = isLoopbackName(name) || this.#names.has(name) || (this.#anyAddress && isAddress(name));
    if (known && this.#remembered.size < REMEMBERED) this.#remembered.add(authority);
    return known;
  }
}
