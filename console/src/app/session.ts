/** Credentials that the user has entered, and requests that carry them. */
import { NAVIGATED } from './location.ts';

const KEY = 'pathpool.authorization';
const CHANGED = 'pathpool:session';

/** What the sign-in dialog needs to know. */
interface SignInRequest {
  /** Why credentials are needed, or why the last ones were not enough. */
  readonly reason: string;
  /** Ends the dialog: with the value of `Authorization`, or undefined if the user gives up. */
  readonly answer: (authorization: string | undefined) => void;
}

/** The user has given up, and is not asked again by each request until another page is opened. */
let hasDeclined = false;
for (const event of [NAVIGATED, 'popstate']) {
  addEventListener(event, () => {
    hasDeclined = false;
  });
}

let asked: { readonly request: SignInRequest; readonly answered: Promise<string | undefined> } | undefined;

/** The dialog that waits for the user, if there is one. */
export function pendingSignIn(): SignInRequest | undefined {
  return asked?.request;
}

/** Calls the listener when the user signs in or out, or is asked to. Returns what ends that. */
export function onSessionChange(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}

/** Whether requests carry credentials. */
export function isSignedIn(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

export function signOut(): void {
  sessionStorage.removeItem(KEY);
  dispatchEvent(new Event(CHANGED));
}

export function basicAuthorization(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** The headers that say who the user is, for requests that are sent in other ways. */
export function sessionHeaders(): Record<string, string> {
  const authorization = sessionStorage.getItem(KEY);
  return {
    // The server then sends no challenge that makes the browser ask for a password itself.
    'X-Requested-With': 'XMLHttpRequest',
    ...(authorization !== null && { Authorization: authorization }),
  };
}

/**
 * Sends a request with the user's credentials. If the server rejects them, the user is asked for
 * others, and the request is sent again; a body must therefore not be a stream.
 */
export function sessionFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  return withCredentials((sent) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(sent)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  });
}

/** The same for another way to send a request. `send` adds the headers that it is given. */
export async function withCredentials<T extends { readonly status: number }>(
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const sent = sessionHeaders();
    const response = await send(sent);
    if (response.status !== 401) return response;
    // Another request may have asked the user meanwhile.
    const isStale = sent['Authorization'] !== sessionHeaders()['Authorization'];
    if (isStale) continue;
    if (hasDeclined || (await askForCredentials(reasonOf(sent))) === undefined) return response;
  }
}

function reasonOf({ Authorization: sent }: Record<string, string>): string {
  return sent === undefined
    ? 'The server asks for credentials.'
    : 'The server did not accept these credentials.';
}

/**
 * Asks the user for credentials, once for all who need them. Resolves with the value of
 * `Authorization`, or with undefined if the user gives up.
 */
export async function askForCredentials(reason: string): Promise<string | undefined> {
  asked ??= newRequest(reason);
  return asked.answered;
}

function newRequest(reason: string): NonNullable<typeof asked> {
  const { promise, resolve } = withResolvers<string | undefined>();
  const answer = (authorization: string | undefined) => {
    if (authorization !== undefined) sessionStorage.setItem(KEY, authorization);
    hasDeclined = authorization === undefined;
    asked = undefined;
    resolve(authorization);
    dispatchEvent(new Event(CHANGED));
  };
  queueMicrotask(() => dispatchEvent(new Event(CHANGED)));
  return { request: { reason, answer }, answered: promise };
}

/** `Promise.withResolvers`, which older browsers lack. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
