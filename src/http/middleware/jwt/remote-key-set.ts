import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { hostNameOf, isLoopbackName } from '../host-name.ts';
import { type KeySet, KeysUnavailable, readKeySet } from './key-set.ts';

/** Where the keys are. */
export type KeySource =
  | { readonly kind: 'keys'; readonly url: URL }
  /** The document that names the URL of the keys (OpenID Connect Discovery). */
  | { readonly kind: 'discovery'; readonly issuer: string };

/** Where changes of the availability are logged. */
export interface KeySetLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Time for all requests of one fetch, in milliseconds. */
const FETCH_MS = 5_000;
const MAX_BYTES = 512 * 1024;
/** Least time from a fetch to the next one that a token with an unknown key causes. */
const COOLDOWN_MS = 30_000;
/** Least time from a failed fetch to the next one. */
const RETRY_MS = 10_000;
/** Age at which the keys are fetched again before they are used. */
const REFRESH_MS = 10 * 60_000;
/** Age beyond which keys are no longer used if they could not be fetched again. */
const MAX_AGE_MS = 60 * 60_000;
const DISCOVERY = '/.well-known/openid-configuration';

type Fetched = (signal: AbortSignal) => Promise<string>;

/**
 * Keys that are fetched: when they are first needed, when they are old, and when a token names an
 * unknown key. However many tokens come, one fetch runs at a time, and the next one waits for the
 * times above.
 */
export class RemoteKeySet implements KeySet {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #source: KeySource;
  readonly #fetchText: Fetched;
  readonly #log: KeySetLog;
  readonly #closed = new AbortController();
  /** Times of the monotonic clock in milliseconds. */
  #refreshAt = 0;
  #retryAt = 0;
  #failed = false;
  #version = 0;

  constructor(source: KeySource, log: KeySetLog) {
    this.#source = source;
    this.#log = log;
    this.#fetchText =
      source.kind === 'keys'
        ? (signal) => fetchText(source.url, signal)
        : async (signal) => fetchText(await discover(source.issuer, signal), signal);
    this.#keys = createRemoteJWKSet(placeOf(source), {
      timeoutDuration: FETCH_MS,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: MAX_AGE_MS,
      [customFetch]: (_url, { signal }) => this.#fetch(signal),
    });
  }

  get version(): number {
    return this.#version;
  }

  /** Whether the keys come from there. */
  isFrom(source: KeySource): boolean {
    return JSON.stringify(source) === JSON.stringify(this.#source);
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    if (this.#keys.fresh) await this.#renew();
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      const wait = Math.max(1, Math.ceil((this.#retryAt - performance.now()) / 1000));
      throw new KeysUnavailable('The keys of the token issuer are not available.', wait);
    }
  };

  refresh(): void {
    // What fails is logged where it is fetched; requests that need the keys fail by themselves.
    this.#keys.reload().catch(() => {});
  }

  /** Waits for new keys if those that there are have become old, unless that has failed before. */
  async #renew(): Promise<void> {
    if (performance.now() < Math.max(this.#refreshAt, this.#retryAt)) return;
    const hadFailed = this.#failed;
    const done = this.#keys.reload().catch(() => {});
    if (!hadFailed) await done;
  }

  close(): void {
    this.#closed.abort();
  }

  async #fetch(signal: AbortSignal): Promise<Response> {
    if (performance.now() < this.#retryAt) throw new Error('The last fetch has just failed.');
    try {
      const text = await this.#fetchText(AbortSignal.any([signal, this.#closed.signal]));
      const keys = readKeySet(text);
      this.#refreshAt = performance.now() + REFRESH_MS;
      if (this.#failed) this.#log.info({ event: 'keys-fetched' }, 'The keys of the token issuer are back.');
      this.#failed = false;
      if (JSON.stringify(keys) !== JSON.stringify(this.#keys.jwks())) void this.#noteChange();
      return Response.json(keys);
    } catch (error) {
      this.#retryAt = performance.now() + RETRY_MS;
      if (!this.#failed && !this.#closed.signal.aborted) this.#logFailure(error);
      this.#failed = true;
      throw error;
    }
  }

  /** Waits until the keys that are being fetched are in use. If they are refused, none changes. */
  async #noteChange(): Promise<void> {
    const isUsed = await this.#keys.reload().then(
      () => true,
      () => false,
    );
    if (isUsed) this.#version++;
  }

  #logFailure(error: unknown): void {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message || String(cause)}` : message;
    this.#log.warn(
      { event: 'keys-unavailable', reason },
      'The keys of the token issuer cannot be fetched. Tokens that need them get 503.',
    );
  }
}

/** Returns the URL if keys may be fetched from there: https, or http on loopback. */
export function keyUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = url && hostNameOf(url.host);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && name !== undefined && isLoopbackName(name));
  return isSafe && url.username === '' && url.password === '' && url.hash === '' ? url : undefined;
}

function placeOf(source: KeySource): URL {
  return source.kind === 'keys' ? source.url : discoveryUrl(source.issuer);
}

/** Returns the URL of the issuer's discovery document. The issuer must be a `keyUrl`. */
function discoveryUrl(issuer: string): URL {
  return new URL(issuer.replace(/\/$/, '') + DISCOVERY);
}

function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

async function discover(issuer: string, signal: AbortSignal): Promise<URL> {
  const url = discoveryUrl(issuer);
  const text = await fetchText(url, signal);
  const { issuer: named, jwks_uri: keys } = readObject(text, url);
  if (named !== issuer) throw new Error(`${url.href} is not of the issuer ${issuer}.`);
  const found = typeof keys === 'string' ? keyUrl(keys) : undefined;
  if (!found) throw new Error(`${url.href} has no https URL as jwks_uri.`);
  return found;
}

function readObject(text: string, url: URL): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Error(`${url.href} is not JSON.`);
  }
}

/** Redirects are not followed: they could lead to another host or to plain http. */
async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    signal,
    redirect: 'manual',
    headers: { Accept: 'application/json, application/jwk-set+json' },
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`${url.href} has status ${response.status} instead of 200.`);
  }
  return readText(response.body, url);
}

async function readText(body: NonNullable<Response['body']>, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop cancels the response.
    if (bytes > MAX_BYTES) throw new Error(`${url.href} has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}
