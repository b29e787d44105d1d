import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_IN_FULL = '0000:0000:0000:0000:0000:ffff:';
const GROUPS = 8;

/**
 * Returns the address of a connection. Fronts write IPv6 with all digits. An IPv4 address that is
 * mapped into IPv6 becomes plain IPv4.
 */
export function clientAddress(text: string): string {
  if (!text.startsWith(MAPPED_IN_FULL)) return text;
  const [high, low] = text
    .slice(MAPPED_IN_FULL.length)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join('.');
}

/**
 * Returns any spelling of an IP address in the form of `clientAddress`, or undefined for other
 * text.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  // URLs have no zones (`fe80::1%eth0`).
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return clientAddress(inFull(new URL(`http://[${text}]`).hostname.slice(1, -1)));
}

/** Expands canonical IPv6 to eight groups of four digits. */
function inFull(address: string): string {
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail ? Array<string>(GROUPS - head.length - tail.length).fill('') : [];
  return [...head, ...zeros, ...(tail ?? [])].map((group) => group.padStart(4, '0')).join(':');
}
