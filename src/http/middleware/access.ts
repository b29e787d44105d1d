import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ErrorData, errorData } from '../../errors.ts';
import type { HttpRequest } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';
import { AddressLimit } from './address-limit.ts';
import { isPreflight } from './cors.ts';
import type { Credential, Role } from './credentials.ts';
import { type PasswordHash, verifyPassword } from './password.ts';

export interface AccessOptions {
  /** Whether requests that need only the role `read` are open to everybody. */
  readonly publicRead: boolean;
  /** Failed logins allowed per client address and minute. */
  readonly failedLogins: number;
}

interface Account extends Credential {
  /**
   * Keyed digest of the password once it has been verified. With it scrypt runs once for each
   * account, not for each request.
   */
  verified: Buffer | undefined;
}

interface Login {
  readonly name: string;
  readonly password: string;
}

type Verdict = ErrorData | undefined;
interface CheckedRequest extends Pick<HttpRequest, 'method' | 'path' | 'header' | 'remoteAddress'> {
  user: string | undefined;
}

/**
 * Passwords verified at the same time. Each verification occupies one of four threads for a fifth
 * of a second and needs 16 MiB.
 */
const MAX_VERIFYING = 16;

/**
 * Authentication and authorisation (G-4). If no credentials are configured, everybody may do
 * everything and `Authorization` is ignored.
 */
export class AccessPolicy {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #options: AccessOptions;
  readonly #failures: AddressLimit;
  readonly #digestKey = randomBytes(32);
  /**
   * Running verifications by the digest of name and password. Credentials that arrive on several
   * connections at once are verified once.
   */
  readonly #verifying = new Map<string, Promise<boolean>>();

  constructor(credentials: readonly Credential[], options: AccessOptions) {
    this.#accounts = new Map(credentials.map((each) => [each.name, { ...each, verified: undefined }]));
    this.#options = options;
    this.#failures = new AddressLimit(options.failedLogins / 60, options.failedLogins);
  }

  /**
   * Returns why the request is rejected: `unauthorized`, `forbidden`, `too-many-requests` (failed
   * logins) or `overloaded`; undefined if it is allowed. The result is synchronous except when the
   * credentials have not been verified before. Sets `user` if the credentials are right. If the
   * request needs no credentials, they are recognised when they were verified before and ignored
   * otherwise. `needed`: the role that the request needs, if its head does not show it.
   */
  check(
    request: CheckedRequest,
    needed: Role = onlyReads(request) ? 'read' : 'write',
  ): Verdict | Promise<Verdict> {
    if (this.#accounts.size === 0 || isPreflight(request)) return undefined;
    const isOpen = needed === 'read' && this.#options.publicRead;
    const login = parseAuthorization(request.header('authorization'));
    if (login === undefined)
      return isOpen ? undefined : denied('unauthorized', 'This request needs credentials.');
    const account = this.#accounts.get(login.name);
    const digest = this.#digest(login);
    if (account?.verified && timingSafeEqual(account.verified, digest))
      return admit(request, account, needed);
    if (isOpen) return undefined;
    return this.#verify(login, account, digest, request.remoteAddress).then(
      (failure) => failure ?? admit(request, account!, needed),
    );
  }

  /**
   * Returns undefined if the password is that of the account. An unknown account takes as long as a
   * wrong password.
   */
  async #verify(
    login: Login,
    account: Account | undefined,
    digest: Buffer,
    address: string,
  ): Promise<Verdict> {
    const key = digest.toString('base64');
    const pending = this.#verifying.get(key);
    if (!pending) {
      if (this.#verifying.size >= MAX_VERIFYING)
        return denied('overloaded', 'Too many logins at the same time.', 1);
      const wait = this.#failures.take(address);
      if (wait > 0)
        return denied('too-many-requests', 'Too many failed logins from this address.', Math.ceil(wait));
    }
    const right = await (pending ?? this.#startVerifying(key, login, account));
    if (!right || !account) return denied('unauthorized', 'The credentials are wrong.');
    if (!pending) this.#failures.giveBack(address);
    account.verified = digest;
    return undefined;
  }

  #startVerifying(key: string, { password }: Login, account: Account | undefined): Promise<boolean> {
    const verification = verifyPassword(password, account?.hash ?? this.#decoy()).finally(() =>
      this.#verifying.delete(key),
    );
    this.#verifying.set(key, verification);
    return verification;
  }

  #decoy(): PasswordHash {
    const [first] = this.#accounts.values();
    return first!.hash;
  }

  #digest({ name, password }: Login): Buffer {
    return createHmac('sha256', this.#digestKey).update(`${name}\0${password}`).digest();
  }
}

function admit(request: CheckedRequest, { name, role }: Account, needed: Role): Verdict {
  request.user = name;
  if (role === 'write' || needed === 'read') return undefined;
  return denied('forbidden', 'These credentials allow reading only.');
}

/**
 * Reads `Basic` with the base64 of `name:password` (RFC 7617), or `Bearer` with `name.password`
 * (RFC 6750).
 */
function parseAuthorization(header: string | undefined): Login | undefined {
  const match = /^(basic|bearer) +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '');
  if (!match) return undefined;
  const basic = match[1]!.toLowerCase() === 'basic';
  const text = basic ? Buffer.from(match[2]!, 'base64').toString() : match[2]!;
  const end = text.indexOf(basic ? ':' : '.');
  return end === -1 ? undefined : { name: text.slice(0, end), password: text.slice(end + 1) };
}

function denied(
  code: 'unauthorized' | 'forbidden' | 'too-many-requests' | 'overloaded',
  message: string,
  retryAfter?: number,
): ErrorData {
  return errorData(code, message, retryAfter === undefined ? {} : { retryAfter });
}
