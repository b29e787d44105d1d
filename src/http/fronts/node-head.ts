import type { IncomingMessage } from 'node:http';
import { type ErrorData, errorData } from '../../errors.ts';
import { isHost, malformed } from '../middleware/framing.ts';
import type { RequestHead } from './front.ts';

/** Bytes of a request line besides the method and the target, and of a header line. */
const REQUEST_LINE = ' '.length + ' HTTP/1.1\r\n'.length;
const FIELD_LINE = ': \r\n'.length;
const HOST = 'host';

/**
 * Copies the head from its raw fields: the parsed ones of node:http lack duplicates, such as a
 * second `Host`. `authority`: that of the connection's own address.
 */
export function readHead(request: IncomingMessage, authority: string): RequestHead {
  const { method = '', url: target = '', rawHeaders } = request;
  const headers: string[] = [];
  let bytes = REQUEST_LINE + method.length + target.length;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const value = rawHeaders[i + 1]!;
    headers.push(name.toLowerCase(), inUtf8(value));
    bytes += FIELD_LINE + name.length + value.length;
  }
  const read = readTarget(method, target);
  const fault = read.fault ?? setHost(headers, read.authority, authority, request.httpVersion);
  const [, url = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(inUtf8(read.path)) ?? [];
  return { method, url, query, headers, bytes, fault };
}

interface Target {
  readonly path: string;
  /** Of a target in absolute form. */
  readonly authority?: string;
  readonly fault?: ErrorData;
}

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Reads the forms of a target that an origin server receives (RFC 9112 section 3.2). */
function readTarget(method: string, target: string): Target {
  if (target.startsWith('/')) return { path: target };
  if (target === '*' && method === 'OPTIONS') return { path: target };
  const [, authority, rest = ''] = absoluteForm.exec(target) ?? [];
  if (!authority) return { path: target, fault: malformed('The target') };
  if (rest === '' && method === 'OPTIONS') return { path: '*', authority };
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}

/**
 * Returns why the request is rejected. The authority of a target in absolute form takes the place
 * of `Host`. HTTP/1.0 does not require `Host`, so there the address of the connection does. No
 * browser omits it, so that does not help a page that had its name rebound.
 */
function setHost(
  headers: string[],
  authority: string | undefined,
  connection: string,
  version: string,
): ErrorData | undefined {
  const isOld = version === '1.0';
  if (!isOld && version !== '1.1') return errorData('bad-arguments', 'The server speaks HTTP/1.1.');
  const at = headers.findIndex((text, i) => i % 2 === 0 && text === HOST);
  if (at === -1) {
    if (!isOld) return malformed(HOST_NAME);
    headers.push(HOST, authority ?? connection);
  } else if (authority !== undefined) {
    const given = headers.filter((_text, i) => i % 2 === 1 && headers[i - 1] === HOST);
    if (given.length > 1 || !isHost(given[0]!)) return malformed(HOST_NAME);
    headers[at + 1] = authority;
  }
  return undefined;
}

const HOST_NAME = 'Host';

/** Node.js decodes fields byte by byte. */
function inUtf8(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}
