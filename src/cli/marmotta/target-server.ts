import { openAsBlob } from 'node:fs';
import { errorOf, PathpoolError } from '../../library/client/error-response.ts';
import { linesIn } from '../../library/client/lines.ts';

interface Upload {
  readonly method: 'PUT' | 'POST';
  readonly type: string;
  readonly body: string | Blob;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that was refused for a reason of its own, so others may succeed. */
export type Refusal = PathpoolError;

/** The server into which Marmotta's data go. */
export class TargetServer {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, authorization: string | undefined) {
    this.#url = url;
    this.#headers = authorization === undefined ? {} : { Authorization: authorization };
  }

  /** The base URI, which need not be the URL. */
  async base(): Promise<string> {
    const response = await this.#send('/ldp', { method: 'HEAD' });
    const link = /<([^>]*)\/constraints\/ldp>/.exec(response.headers.get('Link') ?? '');
    if (response.ok && link) return link[1]!;
    if (response.status === 401 || response.status === 403) throw await errorOf(response);
    throw new Error(`${this.#url} is not a Pathpool server: /ldp answers with ${response.status}.`);
  }

  /**
   * Uploads something. Returns false if the condition in the headers failed, because it is there
   * already, and a refusal if the server does not want it. Throws other errors.
   */
  async upload(path: string, { method, type, body, headers = {} }: Upload): Promise<boolean | Refusal> {
    const response = await this.#send(path, { method, headers: { 'Content-Type': type, ...headers }, body });
    if (response.ok) {
      await response.body?.cancel();
      return true;
    }
    const error = await errorOf(response);
    if (response.status === 412) return false;
    if (response.status >= 500 || response.status === 401 || response.status === 403) throw error;
    return error;
  }

  /** Uploads a file if there is nothing yet. */
  async uploadFile(path: string, file: string, type: string, headers = {}): Promise<boolean | Refusal> {
    const body = await openAsBlob(file);
    return this.upload(path, { method: 'PUT', type, body, headers: { 'If-None-Match': '*', ...headers } });
  }

  /** The text of what is there, or undefined for 404. */
  async read(path: string, accept: string): Promise<string | undefined> {
    const response = await this.#send(path, { headers: { Accept: accept } });
    if (response.ok) return response.text();
    const error = await errorOf(response);
    if (response.status === 404) return undefined;
    throw error;
  }

  /** Yields the lines of what is there; none for 404. */
  async *lines(path: string, accept: string): AsyncGenerator<string> {
    const response = await this.#send(path, { headers: { Accept: accept } });
    if (response.ok && response.body) return yield* linesIn(response.body);
    const error = await errorOf(response);
    if (response.status !== 404) throw error;
  }

  /** The entity tag of what is there. */
  async tag(path: string, accept: string): Promise<string> {
    const response = await this.#send(path, { method: 'HEAD', headers: { Accept: accept } });
    return response.headers.get('ETag') ?? '';
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    try {
      const headers = { ...init.headers, ...this.#headers };
      // A redirect would mean another resource, whose name the caller did not choose.
      return await fetch(`${this.#url}${path}`, { ...init, headers, redirect: 'manual' });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new Error(`${this.#url} can't be reached: ${cause instanceof Error ? cause.message : cause}`, {
        cause: error,
      });
    }
  }
}

/** The reason as one line. */
export function reasonOf({ status, message }: Refusal): string {
  return `${status}: ${message}`;
}

export function isRefusal(outcome: boolean | Refusal): outcome is Refusal {
  return outcome instanceof PathpoolError;
}
