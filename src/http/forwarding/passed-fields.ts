import { peerHeaders } from '../middleware/peers.ts';
import type { Header } from '../server/header.ts';

/** Fields that concern one connection only (RFC 9110 section 7.6.1). */
const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/**
 * Besides those of one connection: this process has answered `expect`, delimits the body by itself,
 * and sets those for peers.
 */
const notPassedOn: ReadonlySet<string> = new Set([
  ...hopByHop,
  ...['expect', 'content-length', 'x-request-id'],
  ...Object.values(peerHeaders),
]);

/** Fields that this process adds to every response by itself, and those for the framing. */
const notPassedBack: ReadonlySet<string> = new Set([
  ...hopByHop,
  ...['content-length', 'date', 'x-content-type-options', 'cross-origin-resource-policy'],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
]);

/**
 * Returns the fields of a request that another process receives: name, value, name, value, …
 * `added`: those for the other process.
 */
export function requestFields(headers: readonly string[], added: readonly string[]): string[] {
  const named = namedByConnection(headers);
  const fields: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    if (!notPassedOn.has(name) && !named.has(name)) fields.push(name, asBytes(headers[i + 1]!));
  }
  return [...fields, ...added];
}

/** Returns the fields of another process's response that the client receives. */
export function responseFields(rawHeaders: readonly string[], hasRequestId: boolean): Header[] {
  const lower = rawHeaders.map((text, i) => (i % 2 === 0 ? text.toLowerCase() : text));
  const named = namedByConnection(lower);
  const fields: Header[] = [];
  for (let i = 0; i < lower.length; i += 2) {
    const name = lower[i]!;
    if (notPassedBack.has(name) || named.has(name) || (hasRequestId && name === 'x-request-id')) continue;
    const value = asText(lower[i + 1]!);
    const passed = name === 'vary' ? withoutOrigin(value) : value;
    if (passed !== '') fields.push([rawHeaders[i]!, passed]);
  }
  return fields;
}

/** The fields that `Connection` names concern one connection, too. */
function namedByConnection(headers: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'connection') continue;
    for (const option of headers[i + 1]!.split(',')) named.add(option.trim().toLowerCase());
  }
  // This one is needed, whatever a client says.
  named.delete('host');
  return named;
}

/** This process adds `Origin` if its own rule demands it. */
function withoutOrigin(vary: string): string {
  const names = vary.split(',').map((name) => name.trim());
  return names.filter((name) => name.toLowerCase() !== 'origin').join(', ');
}

/** Node.js sends and receives heads byte by byte; the server holds them as UTF-8. */
export function asBytes(text: string): string {
  return /[\u0080-\uffff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

function asText(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
