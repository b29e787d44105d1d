import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, type ErrorData, toErrorData } from '../errors.ts';
import { isPreflight } from './cors.ts';
import type { HttpRequest } from './message.ts';

/** `read` allows GET, HEAD, OPTIONS, and POST below `/ldpath`; `write` allows everything (G-4). */
export type Role = 'read' | 'write';

export interface Credential {
  readonly scheme: 'basic' | 'bearer';
  /** `user:password` for `basic`, the token for `bearer`. */
  readonly secret: string;
  readonly role: Role;
}

interface StoredCredential {
  readonly scheme: string;
  readonly digest: Buffer;
  readonly role: Role;
}

type RequestHead = Pick<HttpRequest, 'method' | 'path' | 'header'>;

/** Who may do what (G-4). Without credentials everybody may do everything, and `Authorization` is ignored. */
export class AccessPolicy {
  readonly #credentials: readonly StoredCredential[];
  readonly #publicRead: boolean;

  constructor(credentials: readonly Credential[], publicRead: boolean) {
    this.#credentials = credentials.map(({ scheme, secret, role }) => ({
      scheme,
      role,
      digest: digest(secret),
    }));
    this.#publicRead = publicRead;
  }

  /** Why the request is refused: `unauthorized`, `forbidden`; undefined when it is allowed. */
  check(request: RequestHead): ErrorData | undefined {
    if (this.#credentials.length === 0 || isPreflight(request)) return undefined;
    const needed = neededRole(request);
    if (needed === 'read' && this.#publicRead) return undefined;
    const role = this.#roleOf(request.header('authorization'));
    if (role === undefined) return refusal('unauthorized', 'Credentials are needed here.');
    if (role === 'read' && needed === 'write')
      return refusal('forbidden', 'These credentials allow reading only.');
    return undefined;
  }

  /** Looks at every credential, each in constant time, so that the answer's time tells nothing of them. */
  #roleOf(header: string | undefined): Role | undefined {
    const presented = parseAuthorization(header);
    if (presented === undefined) return undefined;
    const presentedDigest = digest(presented.secret);
    let role: Role | undefined;
    for (const credential of this.#credentials) {
      const equal = timingSafeEqual(credential.digest, presentedDigest);
      if (equal && credential.scheme === presented.scheme && role !== 'write') role = credential.role;
    }
    return role;
  }
}

function neededRole({ method, path }: RequestHead): Role {
  const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  return reads || (method === 'POST' && path.startsWith('/ldpath/')) ? 'read' : 'write';
}

function parseAuthorization(header: string | undefined): { scheme: string; secret: string } | undefined {
  const match = /^(basic|bearer) +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '');
  if (!match) return undefined;
  const scheme = match[1]!.toLowerCase();
  const secret = scheme === 'basic' ? Buffer.from(match[2]!, 'base64').toString() : match[2]!;
  return { scheme, secret };
}

/** Digests are of one length, as comparison in constant time needs. */
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function refusal(code: 'unauthorized' | 'forbidden', message: string): ErrorData {
  return toErrorData(new AppError(code, message));
}
