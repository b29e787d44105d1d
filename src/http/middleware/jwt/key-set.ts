import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** The public keys of an issuer. */
export interface KeySet {
  /** Returns the key that a token names. Throws `KeysUnavailable`, or jose's errors. */
  readonly find: JWTVerifyGetKey;
  /** Changes after the keys have changed: what was verified before has to be verified again. */
  readonly version: number;
  /** Begins to fetch the keys, if they are fetched, unless that has just failed. */
  refresh(): void;
  close(): void;
}

/** The keys could not be had, which says nothing about the token. */
export class KeysUnavailable extends Error {
  /** Seconds. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Members of a JSON Web Key that are secret (RFC 7518 section 6). */
const secretMembers = ['d', 'k', 'p', 'q'];

/** Reads the text of a JSON Web Key Set (RFC 7517). Throws an error that describes the mistake. */
export function readKeySet(text: string): JSONWebKeySet {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const keys = (parsed as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isKey)) {
    throw new Error("it is not a JSON Web Key Set: 'keys' must be a list of at least one key");
  }
  return parsed as JSONWebKeySet;
}

function isKey(key: unknown): key is object {
  return typeof key === 'object' && key !== null && typeof (key as { kty?: unknown }).kty === 'string';
}

/** Returns the keys of a file. Throws an error that describes the mistake. */
export function fixedKeySet(text: string): KeySet {
  const keys = readKeySet(text);
  if (keys.keys.some((key) => secretMembers.some((name) => name in key))) {
    throw new Error('it contains a private or a symmetric key; only public keys belong there');
  }
  return { find: createLocalJWKSet(keys), version: 0, refresh: () => {}, close: () => {} };
}
