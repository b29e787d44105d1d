import { errorOf } from './error-response.ts';

export interface ClientOptions {
  /** Header fields of every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Cancels the request; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Preconditions, as in HTTP. */
export interface Conditions extends CallOptions {
  readonly ifMatch?: string | undefined;
  /** `*`: only if there is nothing yet. */
  readonly ifNoneMatch?: string | undefined;
}

export type Body = string | Uint8Array | Blob;

/** Parameters of the query; a list occurs once for each item, and `true` is a flag. */
export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Request {
  readonly method?: string;
  readonly parameters?: Parameters;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: Body;
  readonly redirect?: 'manual';
  /** The event after which a stream of events goes on. */
  readonly lastEventId?: string | undefined;
  /** Statuses that are not errors, besides those of success. */
  readonly expected?: readonly number[];
}

/** Sends requests. Nothing is repeated. */
export class Sender {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;

  constructor(base: string | URL, { headers = {}, fetch: given }: ClientOptions) {
    this.#base = String(base).replace(/\/+$/, '');
    this.#headers = headers;
    // Browsers call it only as a function of the window.
    this.#fetch = given ?? ((input, init) => fetch(input, init));
  }

  /** @throws PathpoolError for a response that is an error */
  async send(path: string, request: Request, options: Conditions = {}): Promise<Response> {
    const { method = 'GET', parameters = {}, body, redirect, expected = [] } = request;
    const response = await this.#fetch(`${this.#base}${path}${queryOf(parameters)}`, {
      method,
      headers: { ...this.#headers, ...headersOf(request, options) },
      // The types of browsers and of Node.js disagree about bytes.
      ...(body !== undefined && { body: body as string | Blob }),
      ...(redirect && { redirect }),
      ...(options.signal && { signal: options.signal }),
    });
    const isRedirect = response.type === 'opaqueredirect';
    if (response.ok || isRedirect || expected.includes(response.status)) return response;
    throw await errorOf(response);
  }

  /** Sends a request whose response is JSON. */
  async json<T>(path: string, request: Request, options?: Conditions): Promise<T> {
    const response = await this.send(path, { accept: 'application/json', ...request }, options);
    return (await response.json()) as T;
  }

  /** Sends a request whose response is only a status, and returns that. */
  async status(path: string, request: Request, options?: Conditions): Promise<number> {
    const response = await this.send(path, request, options);
    await response.body?.cancel();
    return response.status;
  }
}

function headersOf(
  { accept, type, lastEventId }: Request,
  { ifMatch, ifNoneMatch }: Conditions,
): Record<string, string> {
  return {
    // Otherwise an error would be plain text.
    ...(accept !== undefined && { Accept: `${accept}, application/problem+json;q=0.1` }),
    ...(type !== undefined && { 'Content-Type': type }),
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
  };
}

function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const key = encodeURIComponent(name);
    if (value === true) return [key];
    const values = typeof value === 'object' ? value : [String(value)];
    return values.map((each) => `${key}=${encodeURIComponent(each)}`);
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
