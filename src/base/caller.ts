import type { Restricted } from './graph-access.ts';

/** The request for which work is done, as services and the pool see it. */
export interface Caller extends Restricted {
  /** The client's address in text form; empty once the request is over. */
  readonly remoteAddress: string;
  /** Name of the request's credential; undefined without one. */
  readonly user: string | undefined;
  /** Method and target as sent, such as `PUT /context?graph=http://example.org/people`. */
  readonly requestLine: string;
  /**
   * Calls `listener` when the client disconnects before the response is complete, or at once if it
   * already has.
   */
  onAbort(listener: () => void): void;
}

/** Returns a caller for the same request, if there is one, with another source of cancellation. */
export function withAbort(caller: Caller | undefined, onAbort: Caller['onAbort']): Caller {
  const { remoteAddress = '', user, requestLine = '', access } = caller ?? {};
  return { remoteAddress, user, requestLine, access, onAbort };
}

/** An IPv4 address mapped into IPv6, in its full and its short form. */
const MAPPED = /^(0000:){5}ffff:|^::ffff:/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Identifies a client: by the credential of a request, or else by its address. Empty for the
 * server's own work, and if the request was over before the address was read.
 */
export function clientKey(caller: Caller | undefined): string {
  if (!caller) return '';
  return caller.user === undefined ? networkOf(caller.remoteAddress) : `user ${caller.user}`;
}

/**
 * Returns an IPv4 address, or the /64 of an IPv6 address, because one client usually has a whole
 * /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || MAPPED.test(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.padStart(4, '0'))
    .join(':');
}

function groupsOf(text = ''): string[] {
  return text === '' ? [] : text.split(':');
}
