import { TargetError, TooLargeError } from './target.ts';

export interface SearchServerOptions {
  /** Base URL of the core or the index, without a trailing slash. */
  readonly url: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

const MAX_SHOWN = 500;
const REQUEST_TIMEOUT_MS = 120_000;

/** Sends JSON to a search server over HTTP. */
export class SearchServer {
  readonly #options: SearchServerOptions;

  constructor(options: SearchServerOptions) {
    this.#options = options;
  }

  /**
   * Returns the JSON of the response, or undefined for a status in `expected`. Throws `TargetError`
   * for a request that the server would refuse again.
   */
  async send(
    method: string,
    path: string,
    { body, type = 'application/json', expected = [] }: Content = {},
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { url, authorization, signal } = this.#options;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': type }),
        ...(authorization !== undefined && { Authorization: authorization }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const text = await response.text();
    if (expected.includes(response.status)) return undefined;
    const json = response.ok ? objectIn(text) : undefined;
    if (json) return json;
    const message = `${url}${path.split('?')[0]} answers ${response.status}: ${text.slice(0, MAX_SHOWN)}`;
    // A server that is overloaded, or behind a proxy that has lost it, may accept it later.
    if (response.status >= 500 || response.status === 429 || response.status === 408)
      throw new Error(message);
    throw response.status === 413 ? new TooLargeError(message) : new TargetError(message);
  }
}

/** Returns undefined if the text is no object, since it is not of a search server. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Content {
  readonly body?: string;
  readonly type?: string;
  /** Statuses that mean that there is nothing. */
  readonly expected?: readonly number[];
}
