import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type ErrorData, errorData, failure, type Result } from '../../errors.ts';
import type { AddressLimit } from './address-limit.ts';
import type { Credential, Role } from './credentials.ts';
import { type PasswordHash, verifyPassword } from './password.ts';
import type { Logins, Principal } from './principal.ts';

/** A name and a password as sent. */
export interface GivenLogin {
  readonly name: string;
  readonly password: string;
}

interface Account extends Credential, Principal {
  readonly role: Role;
  /**
   * Keyed digest of the password once it has been verified. With it scrypt runs once for each
   * account, not for each request.
   */
  verified: Buffer | undefined;
}

/**
 * Passwords verified at the same time. Each verification occupies one of four threads for a fifth
 * of a second and needs 16 MiB.
 */
const MAX_VERIFYING = 16;

/** The names and passwords of the credentials. */
export class PasswordLogins implements Logins<GivenLogin> {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #failures: AddressLimit;
  readonly #digestKey: Buffer;
  /**
   * Running verifications by the digest of name and password. Credentials that arrive on several
   * connections at once are verified once.
   */
  readonly #verifying = new Map<string, Promise<boolean>>();

  /** `before`: what verified passwords of credentials that stay the same are taken over from. */
  constructor(credentials: readonly Credential[], failures: AddressLimit, before?: PasswordLogins) {
    this.#failures = failures;
    this.#digestKey = before ? before.#digestKey : randomBytes(32);
    const accounts = before ? before.#accounts : new Map<string, Account>();
    this.#accounts = new Map(
      credentials.map((each) => {
        const same = accounts.get(each.name);
        const verified = same && sameHash(same, each) ? same.verified : undefined;
        return [each.name, { ...each, kind: 'password', verified }];
      }),
    );
  }

  get size(): number {
    return this.#accounts.size;
  }

  has(name: string): boolean {
    return this.#accounts.has(name);
  }

  identify(login: GivenLogin): Principal | undefined {
    const account = this.#accounts.get(login.name);
    return account?.verified && timingSafeEqual(account.verified, this.#digest(login)) ? account : undefined;
  }

  /** An unknown account takes as long as a wrong password. */
  async verify(login: GivenLogin, address: string): Promise<Result<Principal>> {
    const account = this.#accounts.get(login.name);
    if (this.#accounts.size === 0) return wrong;
    const digest = this.#digest(login);
    const key = digest.toString('base64');
    const pending = this.#verifying.get(key);
    const rejected = pending === undefined ? this.#reject(address) : undefined;
    if (rejected) return { ok: false, error: rejected };
    const right = await (pending ?? this.#startVerifying(key, login, account));
    if (!right || !account) return wrong;
    if (!pending) this.#failures.giveBack(address);
    account.verified = digest;
    return { ok: true, value: account };
  }

  #reject(address: string): ErrorData | undefined {
    if (this.#verifying.size >= MAX_VERIFYING)
      return errorData('overloaded', 'Too many logins at the same time.', { retryAfter: 1 });
    const wait = this.#failures.take(address);
    if (wait === 0) return undefined;
    const message = 'Too many failed logins from this address.';
    return errorData('too-many-requests', message, { retryAfter: Math.ceil(wait) });
  }

  #startVerifying(key: string, { password }: GivenLogin, account: Account | undefined): Promise<boolean> {
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

  #digest({ name, password }: GivenLogin): Buffer {
    return createHmac('sha256', this.#digestKey).update(`${name}\0${password}`).digest();
  }
}

const wrong = failure('unauthorized', 'The credentials are wrong.');

function sameHash({ hash: a }: Credential, { hash: b }: Credential): boolean {
  const { logCost, blockSize, parallelism } = a;
  const sameCost = logCost === b.logCost && blockSize === b.blockSize && parallelism === b.parallelism;
  return sameCost && a.salt.equals(b.salt) && a.key.equals(b.key);
}
