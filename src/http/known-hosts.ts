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

/** `Host` headers that are remembered as known, so that most requests cost one lookup. */
const REMEMBERED = 64;
const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * The host names under which the server answers: loopback, that of the base, the address it listens on, and those that the
 * operator names. A page whose own name was made to resolve to this server (DNS rebinding) has none of them, so it
 * is refused although the browser takes page and server for one origin.
 */
export class KnownHosts {
  readonly #names = new Set<string>();
  /** On all addresses of the machine any of them may be meant; an address is safe since it can't be rebound. */
  readonly #anyAddress: boolean;
  readonly #remembered = new Set<string>();

  constructor({ base, listen, allow }: KnownHostsOptions) {
    const authorities = [listen.includes(':') ? `[${listen}]` : listen, ...allow];
    if (base !== undefined) authorities.push(new URL(base).host);
    for (const authority of authorities) {
      const name = hostNameOf(authority);
      if (name !== undefined) this.#names.add(name);
    }
    this.#anyAddress = everyAddress.has(listen);
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

/** Probes of orchestrators come under whatever address the container has; what they read says nothing of the data. */
function isHealthCheck(path: string): boolean {
  return path.startsWith('/health/');
}
