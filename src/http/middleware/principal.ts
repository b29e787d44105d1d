import type { Result } from '../../errors.ts';
import type { Role } from './credentials.ts';

/** A client that has shown its credentials. */
export interface Principal {
  readonly kind: 'password' | 'token';
  /** Unique among passwords and tokens. */
  readonly name: string;
  /** Undefined for a token that allows nothing. */
  readonly role: Role | undefined;
  /** The claims that rules about graphs are about, as far as a token has them. */
  readonly claims?: readonly string[];
}

/** One kind of credentials. */
export interface Logins<Given> {
  /** Recognises what has been verified before, without verifying it again. */
  identify(given: Given): Principal | undefined;
  /** Errors: `unauthorized`, `too-many-requests`, `overloaded`, `keys-unavailable`. */
  verify(given: Given, address: string): Promise<Result<Principal>>;
}
