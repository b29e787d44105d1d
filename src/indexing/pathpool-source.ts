import { errorOf, PathpoolError } from '../library/client/error-response.ts';
import { linesIn } from '../library/client/lines.ts';

/** A line of the whole set (http-api 4.8). */
export type SetLine =
  | { readonly position: string; readonly total: number | null }
  | { readonly cursor: string }
  | ResultLine
  | { readonly done: boolean };

/** A line of the changes of a program (http-api 7.4). */
export type ChangeLine =
  | (ResultLine & { readonly position: string })
  | { readonly position: string; readonly uri: string; readonly deleted: true }
  | { readonly position: string; readonly resync: true }
  /** All changes up to this position have been sent. */
  | { readonly position: string };

/** The result for a resource, as a document of the requested format, or its error. */
export type ResultLine =
  | { readonly uri: string; readonly result: Readonly<Record<string, unknown>> }
  | { readonly uri: string; readonly error: { readonly code: string; readonly detail: string } };

/** A line, with its number of characters. */
export interface Sized<Line> {
  readonly line: Line;
  readonly size: number;
}

export interface SourceOptions {
  /** Base URL of the server, without a trailing slash. */
  readonly url: string;
  readonly program: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

/** A server answers, but not as Pathpool does. */
export class ForeignAnswerError extends Error {
  override readonly name = 'ForeignAnswerError';
}

const LINES = 'application/x-ndjson';
/** How long the server may hold a request for changes when there are none. */
const WAIT_SECONDS = 30;

/**
 * Reads the documents of a stored program from a Pathpool server. Throws `PathpoolError` for an
 * error response; what else is thrown, such as a lost connection, may pass.
 */
export class PathpoolSource {
  readonly #options: SourceOptions;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** Yields the lines of the whole set from the cursor on. */
  wholeSet(format: string, cursor: string | undefined): AsyncGenerator<Sized<SetLine>> {
    const body = {
      name: this.#options.program,
      format,
      ordered: true,
      ...(cursor !== undefined && { cursor }),
    };
    return this.#lines('/ldpath/batch', { method: 'POST', body: JSON.stringify(body) });
  }

  /** Yields the changes since a position. With `waits`, the server waits a while for the first. */
  changes(format: string, since: string, waits: boolean): AsyncGenerator<Sized<ChangeLine>> {
    const query = new URLSearchParams({ since, format, ...(waits && { wait: String(WAIT_SECONDS) }) });
    const name = encodeURIComponent(this.#options.program);
    return this.#lines(`/ldpath/programs/${name}/changes?${query}`, {});
  }

  async *#lines<Line>(target: string, init: RequestInit): AsyncGenerator<Sized<Line>> {
    const { url, authorization, signal } = this.#options;
    const headers = {
      Accept: `${LINES}, application/problem+json;q=0.1`,
      ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(authorization !== undefined && { Authorization: authorization }),
    };
    const response = await fetch(url + target, { ...init, headers, signal });
    if (!response.ok) throw await errorOf(response);
    const type = response.headers.get('Content-Type') ?? 'no type';
    if (!response.body || !type.startsWith(LINES)) {
      await response.body?.cancel();
      throw new ForeignAnswerError(
        `${url} is no Pathpool server: it answers ${target.split('?')[0]} with ${type}. Check --server`,
      );
    }
    for await (const line of linesIn(response.body)) {
      yield { line: JSON.parse(line) as Line, size: line.length };
    }
  }
}

/** Whether the server no longer knows what an index needs to go on from its position or cursor. */
export function isGone(error: unknown): boolean {
  return error instanceof PathpoolError && error.status === 410;
}
