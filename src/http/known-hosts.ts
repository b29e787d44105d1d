import { type ErrorData, failure } from '../errors.ts';
import { hostNameOf, isAddress, isLoopbackName } from './host-name.ts';
import type { HttpRequest } from './message.ts';

export interface KnownHostsOptions {
  /** External base URL, when one is set. */
  readonly base: string | undefined;
  /** The address that the server listens on. */
  readonly listen: string;
  /** More host names. */
  readonly allow: readonly string[];
}

/** Values of `Host` that are cached as known, so that most requests cost one lookup. */
const REMEMBERED = 64;
const allAddresses: ReadonlySet<string | undefined> = new Set(['0.0.0.0', '[::]']);

/**
 * The host names under which the server answers: loopback, the base's, the address that it listens
 * on, and those that the operator allows. This stops DNS rebinding: a page can make its own name
 * resolve to this server, and the browser then takes both for one origin, but the name is unknown.
 */
export class KnownHosts {
  readonly #names = new Set<string>();
  /** Listens on all addresses of the machine. Any address is safe: only names can be rebound. */
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

  /** Why the request is refused (`misdirected`); undefined when it names a known host. */
  refusal(request: Pick<HttpRequest, 'path' | 'header'>): ErrorData | undefined {
    const host = request.header('host') ?? '';
    if (this.#remembered.has(host) || this.isKnown(host) || isHealthCheck(request.path)) return undefined;
    const name = hostNameOf(host);
    const message =
      name === undefined
        ? 'The Host header names no host.'
        : `This server does not answer to the name ${name}: if it should, start it with --allow-host ${name}.`;
    return failure('misdirected', message).error;
  }

  /** `authority`: a host name, perhaps with a port, which may be any. */
  isKnown(authority: string): boolean {
    const name = hostNameOf(authority);
    if (name === undefined) return false;
    const known = isLoopbackName(name) || this.#names.has(name) || (this.#anyAddress && isAddress(name));
    if (known && this.#remembered.size < REMEMBERED) this.#remembered.add(authority);
    return known;
  }
}

/** Orchestrators probe a container by any name, and the replies say nothing about the data. */
function isHealthCheck(path: string): boolean {
  return path.startsWith('/health/');
}
