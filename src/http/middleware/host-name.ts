/** A host name or an IP address (IPv6 in brackets), optionally with a port. */
const authorityForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns the host of a `Host` header in canonical form: lower case, without the port and a final
 * dot, IP addresses as URLs write them (IPv6 in brackets). Undefined if it is malformed.
 */
export function hostNameOf(authority: string): string | undefined {
  const url = `http://${authority}`;
  if (!authorityForm.test(authority) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '');
}

/** Whether a canonical host name is loopback. Browsers resolve `*.localhost` themselves. */
export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]') return true;
  return /^127\.\d+\.\d+\.\d+$/.test(name) || /^\[::ffff:7f[0-9a-f]{2}:/.test(name);
}

/** Whether a canonical host name is an IP address. */
export function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name);
}
