import { BlockList, isIPv4 } from 'node:net';
import parseForwarded from 'forwarded-parse';
import { LRUCache } from 'lru-cache';
import type { HttpRequest } from '../server/message.ts';
import { parseAddress } from './ip-address.ts';

/** Parsing the headers takes some microseconds, so the results are cached. */
const CACHED = 4096;
/** Longer headers are ignored: a proxy adds tens of characters. */
const MAX_HEADER_LENGTH = 2048;

/** Finds the client behind proxies with `Forwarded` (RFC 7239) and `X-Forwarded-For`. */
export class TrustedProxies {
  readonly #trusted = new BlockList();
  readonly #clients = new LRUCache<string, string>({ max: CACHED });

  /** `networks`: addresses or networks, such as `10.0.0.0/8`, of the proxies. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const [family, bits] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
      this.#trusted.addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
    }
  }

  /**
   * Returns the client's address, or that of the connection if the connection is not trusted. A
   * proxy that sets only one of the headers forwards the other as the client sent it. So when both
   * are present and disagree, both are ignored.
   */
  clientOf(connection: string, request: Pick<HttpRequest, 'header'>): string {
    const forwarded = request.header('forwarded');
    const addresses = request.header('x-forwarded-for');
    if (forwarded === undefined && addresses === undefined) return connection;
    const key = `${connection}\n${forwarded ?? ''}\n${addresses ?? ''}`;
    if (key.length > MAX_HEADER_LENGTH) return connection;
    const cached = this.#clients.get(key);
    if (cached !== undefined) return cached;
    if (!this.#isTrusted(connection)) return connection;
    const client = this.#find(connection, forwarded, addresses);
    this.#clients.set(key, client);
    return client;
  }

  #find(connection: string, forwarded: string | undefined, addresses: string | undefined): string {
    const named = [
      ...(forwarded === undefined ? [] : [this.#walk(connection, forwarded, forwardedFor)]),
      ...(addresses === undefined ? [] : [this.#walk(connection, addresses, nodeAddress)]),
    ];
    return new Set(named).size === 1 ? named[0]! : connection;
  }

  /**
   * Each proxy appends the address that called it. So the list is read from the right, as long as
   * the address before is trusted. A malformed or hidden entry ends the walk.
   */
  #walk(connection: string, header: string, read: (element: string) => string | undefined): string {
    let nearest = connection;
    for (const element of header.split(',').reverse()) {
      const next = this.#isTrusted(nearest) ? read(element.trim()) : undefined;
      if (next === undefined) return nearest;
      nearest = next;
    }
    return nearest;
  }

  #isTrusted(address: string): boolean {
    return this.#trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

/**
 * Returns the `for` of one element. An element with a quoted comma arrives here in two parts, each
 * with an unmatched quote, so a client can't forge an element by means of a `Host` with a comma in
 * it.
 */
function forwardedFor(element: string): string | undefined {
  try {
    return nodeAddress(parseForwarded(element)[0]?.['for'] ?? '');
  } catch {
    return undefined;
  }
}

/** Returns an address that may have a port; an IPv6 address is then in brackets. */
function nodeAddress(node: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(node) ?? [];
  return parseAddress(bracketed ?? plain ?? node);
}
