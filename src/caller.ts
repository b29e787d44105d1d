/** The request on whose behalf work is done, as services and the pool see it. */
export interface Caller {
  /** The client's address in text form; empty once the request is over. */
  readonly remoteAddress: string;
  /** Name of the credential that the request gave; undefined without one. */
  readonly user: string | undefined;
  /** Method and target as sent, such as `PUT /context?graph=http://example.org/people`. */
  readonly requestLine: string;
  /** Calls `listener` when the client disconnects before the reply is complete; at once if it already has. */
  onAbort(listener: () => void): void;
}

/** The same request, if there is one, for work that something else cancels. */
export function withAbort(caller: Caller | undefined, onAbort: Caller['onAbort']): Caller {
  const { remoteAddress = '', user, requestLine = '' } = caller ?? {};
  return { remoteAddress, user, requestLine, onAbort };
}

/** Of an IPv4 address in the form of IPv6, in full and short. */
const MAPPED = /^(0000:){5}ffff:|^::ffff:/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Who counts as one client: the credential of a request, else its address. Empty for the server's own
 * work, and when the request was over before anybody asked.
 */
export function clientKey(caller: Caller | undefined): string {
  if (!caller) return '';
  return caller.user === undefined ? networkOf(caller.remoteAddress) : `user ${caller.user}`;
}

/** An IPv4 address, or the /64 of an IPv6 address, since one client usually has all of that. */
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
