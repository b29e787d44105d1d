import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type ErrorData, errorData, type Failure, failure, type Result } from '../../../errors.ts';
import { AddressLimit } from '../address-limit.ts';
import type { Role } from '../credentials.ts';
import type { Logins, Principal } from '../principal.ts';
import { type ClaimRule, matchesRule } from './claim-rule.ts';
import { type KeySet, KeysUnavailable } from './key-set.ts';

export interface TokenRules {
  readonly issuer: string;
  /** A token must be for one of these. */
  readonly audience: readonly string[];
  /** A token that matches one of the rules has the role. */
  readonly read: readonly ClaimRule[];
  readonly write: readonly ClaimRule[];
  /** Claims that are noted in the principal. */
  readonly noted: readonly NotedClaim[];
}

/** A claim, and what it is called in the principal. */
export interface NotedClaim {
  readonly rule: ClaimRule;
  readonly text: string;
}

/** Signatures that only the holder of a private key can make. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const MAX_TOKEN_LENGTH = 16 * 1024;
/** OpenID Connect Core, section 2. */
const MAX_SUBJECT_LENGTH = 255;
/** How far the clocks of issuer and server may differ, in seconds. */
const CLOCK_TOLERANCE = 30;
/** Tokens that are remembered. Beyond it, the least recently used ones are verified again. */
const REMEMBERED = 10_000;
/** Time after which a token is verified again, since its key may have been withdrawn. */
const TRUSTED_MS = 5 * 60_000;
/** Tokens verified at once, in all and of one address; they wait while keys are fetched. */
const MAX_VERIFYING = 256;
const MAX_VERIFYING_OF_ADDRESS = 64;

/** Three parts, of which the first is the base64url of a text that begins with a brace. */
const jwtForm = /^e[wy][\w-]*\.[\w-]*\.[\w-]*$/;

/** A token whose signature, issuer and audience are right. Times in milliseconds since 1970. */
interface Verified {
  /** Undefined if only the expiry is known. */
  readonly principal: Principal | undefined;
  readonly expires: number;
  readonly trustedUntil: number;
  /** Of the keys. */
  readonly version: number;
}

/** A token as sent, and what it is known by, so that no cache holds what a thief could use. */
export interface GivenToken {
  readonly text: string;
  readonly digest: string;
}

/** Bearer tokens that an issuer has signed: JSON Web Tokens (RFC 7519, http-api 1.14). */
export class TokenLogins implements Logins<GivenToken> {
  readonly rules: TokenRules;
  readonly keys: KeySet;
  readonly #failures: AddressLimit;
  readonly #clock: { now(): number };
  readonly #verified = new LRUCache<string, Verified>({ max: REMEMBERED });
  /** Running verifications by digest. */
  readonly #verifying = new Map<string, Promise<Result<Principal>>>();
  readonly #verifyingOf = new Map<string, number>();

  /** `failedLogins`: per address and minute. `clock`: milliseconds since 1970. */
  constructor(rules: TokenRules, keys: KeySet, failedLogins: number, clock: { now(): number } = Date) {
    this.rules = rules;
    this.keys = keys;
    this.#failures = new AddressLimit(failedLogins / 60, failedLogins);
    this.#clock = clock;
  }

  /** Returns undefined for a Bearer token that is not a JSON Web Token. */
  read(text: string): GivenToken | undefined {
    if (!jwtForm.test(text)) return undefined;
    return { text, digest: createHash('sha256').update(text).digest('base64') };
  }

  identify({ digest }: GivenToken): Principal | undefined {
    const known = this.#verified.get(digest);
    if (known?.version !== this.keys.version) return undefined;
    return this.#clock.now() < known.trustedUntil ? known.principal : undefined;
  }

  async verify(given: GivenToken, address: string): Promise<Result<Principal>> {
    const { text, digest } = given;
    if (text.length > MAX_TOKEN_LENGTH) return invalid(`The token is longer than ${MAX_TOKEN_LENGTH} bytes.`);
    const known = this.#verified.get(digest);
    if (known && known.expires <= this.#clock.now()) return expired;
    const pending = this.#verifying.get(digest);
    if (pending !== undefined) return pending;
    const rejected = this.#reject(address);
    if (rejected) return { ok: false, error: rejected };
    const verification = this.#begin(given, address);
    this.#verifying.set(digest, verification);
    this.#count(address, 1);
    return verification.finally(() => {
      this.#verifying.delete(digest);
      this.#count(address, -1);
    });
  }

  /** Returns the scope that a token needs for a role, if a rule names one. */
  scopeFor(role: Role): string | undefined {
    return this.rules[role].find(({ claim }) => claim === 'scope')?.value;
  }

  /** An address whose tokens failed too often has to wait, but not for tokens that are known. */
  #reject(address: string): ErrorData | undefined {
    const wait = this.#failures.wait(address);
    if (wait > 0) {
      const message = 'Too many failed logins from this address.';
      return errorData('too-many-requests', message, { retryAfter: Math.ceil(wait) });
    }
    const isFull = this.#verifying.size >= MAX_VERIFYING;
    if (isFull || (this.#verifyingOf.get(address) ?? 0) >= MAX_VERIFYING_OF_ADDRESS) {
      return errorData('overloaded', 'Too many logins at the same time.', { retryAfter: 1 });
    }
    return undefined;
  }

  #count(address: string, change: number): void {
    const count = (this.#verifyingOf.get(address) ?? 0) + change;
    if (count === 0) this.#verifyingOf.delete(address);
    else this.#verifyingOf.set(address, count);
  }

  async #begin({ text, digest }: GivenToken, address: string): Promise<Result<Principal>> {
    const { issuer, audience } = this.rules;
    const now = this.#clock.now();
    // The keys may change during the verification.
    const { version } = this.keys;
    try {
      const { payload } = await jwtVerify(text, this.keys.find, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(now),
      });
      return this.#remember(digest, payload, { now, version });
    } catch (error) {
      if (error instanceof KeysUnavailable) {
        return failure('keys-unavailable', error.message, { retryAfter: error.retryAfter });
      }
      if (error instanceof errors.JWTExpired) this.#rememberExpired(digest, error.payload);
      else if (!(error instanceof errors.JWTClaimValidationFailed)) this.#failures.take(address);
      return invalid(explain(error));
    }
  }

  #remember(
    digest: string,
    payload: JWTPayload,
    { now, version }: { readonly now: number; readonly version: number },
  ): Result<Principal> {
    const { sub: subject } = payload;
    if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_LENGTH) {
      return invalid(`The subject of the token does not have 1 to ${MAX_SUBJECT_LENGTH} characters.`);
    }
    // No name of a password has a colon.
    const claims = this.rules.noted.filter(({ rule }) => matchesRule(payload, rule)).map(({ text }) => text);
    const principal = {
      kind: 'token',
      name: `jwt:${subject}`,
      role: this.#roleOf(payload),
      ...(claims.length > 0 && { claims }),
    } as const;
    const expires = expiryOf(payload);
    const trustedUntil = Math.min(expires, now + TRUSTED_MS);
    this.#verified.set(digest, { principal, expires, trustedUntil, version });
    return { ok: true, value: principal };
  }

  #rememberExpired(digest: string, payload: JWTPayload): void {
    const expires = expiryOf(payload);
    this.#verified.set(digest, { principal: undefined, expires, trustedUntil: 0, version: 0 });
  }

  #roleOf(payload: JWTPayload): Role | undefined {
    const { read, write } = this.rules;
    const matches = (rule: ClaimRule) => matchesRule(payload, rule);
    if (write.some(matches)) return 'write';
    return read.some(matches) ? 'read' : undefined;
  }
}

function expiryOf({ exp = 0 }: JWTPayload): number {
  return (exp + CLOCK_TOLERANCE) * 1000;
}

function invalid(message: string): Failure {
  return failure('unauthorized', message);
}

const expired = invalid('The token has expired.');

/** Claims are checked only when the signature is right, so this reveals nothing to others. */
function explain(error: unknown): string {
  if (error instanceof errors.JWTExpired) return expired.error.message;
  if (error instanceof errors.JWTClaimValidationFailed) {
    return claimErrors[error.claim] ?? `The claim ${error.claim} of the token is missing or wrong.`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token is wrong.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The algorithm of the token is not accepted.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The issuer has no key that fits the token.';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'The token does not say which key it needs.';
  return 'The token is malformed.';
}

const claimErrors: Readonly<Record<string, string>> = {
  nbf: 'The token is not valid yet.',
  iss: 'The token is not from the issuer that this server trusts.',
  aud: 'The token is not meant for this server.',
};
