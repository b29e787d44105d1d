import { BlockList, isIPv4 } from 'node:net';
import parseForwarded from 'forwarded-parse';
import { LRUCache } from 'lru-cache';
import { parseAddress } from './ip-address.ts';
import type { HttpRequest } from './message.ts';

/** Clients whose headers are remembered: to look at them takes some microseconds. */
const REMEMBERED = 4096;
/** Longer headers are not looked at: proxies add tens of characters each. */
const MAX_HEADER_LENGTH = 2048;

/** Who a request comes from when proxies stand between: reads `Forwarded` (RFC 7239) and `X-Forwarded-For`. */
export class TrustedProxies {
  readonly #trusted = new BlockList();
  readonly #clients = new LRUCache<string, string>({ max: REMEMBERED });

  /** `networks`: addresses, or networks as in `10.0.0.0/8`, whose proxies say truly from whom they pass on requests. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const [family, bits] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
      this.#trusted.addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
    }
  }

  /**
   * The client's address; that of the connection when that is not trusted. A proxy that knows of only one of the headers passes
   * on the other as the client sent it, so where both are there and disagree, neither is believed.
   */
  clientOf(connection: string, request: Pick<HttpRequest, 'header'>): string {
    const forwarded = request.header('forwarded');
    const addresses = request.header('x-forwarded-for');
    if (forwarded === undefined && addresses === undefined) return connection;
    const key = `${connection}\n${forwarded ?? ''}\n${addresses ?? ''}`;
    if (key.length > MAX_HEADER_LENGTH) return connection;
    const remembered = this.#clients.get(key);
    if (remembered !== undefined) return remembered;
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
   * Each proxy adds at the right whom it was called by. So from the right, beginning with the connection, an address is
   * believed as long as the one that told of it is trusted; what is malformed or hidden ends the walk.
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
 * The `for` of one element. An element with a comma between quotes comes here in parts, of which none is well-formed, so such
 * a comma can't pass for the border between two.
 */
function forwardedFor(element: string): string | undefined {
  try {
    return nodeAddress(parseForwarded(element)[0]?.['for'] ?? '');
  } catch {
    return undefined;
  }
}

/** An address, perhaps with a port; an IPv6 address then stands in brackets. */
function nodeAddress(node: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(node) ?? [];
  return parseAddress(bracketed ?? plain ?? node);
}
