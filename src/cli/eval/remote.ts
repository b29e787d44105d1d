import { startSetJson } from '../../rdf/model/resources/start-set.ts';
import type { Starts } from './options.ts';
import { ResponseLines } from './response-lines.ts';
import type { BatchResults, ResultChunk } from './results.ts';
import { readStarts } from './start-file.ts';

/** Start resources of one request: the limit of a server with default settings. */
const BATCH = 10_000;

/** A program, or the name of one that the server has stored. */
export type ServerSelection = { readonly program: string } | { readonly name: string };

/** Evaluates programs on the data of a running server. */
export class RemoteData {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  /** `url`: base URL, without a trailing slash. `authorization`: value of that header. */
  constructor(url: string, authorization: string | undefined) {
    this.#url = url;
    this.#headers = authorization === undefined ? {} : { Authorization: authorization };
  }

  /**
   * Evaluates in one request to `/ldpath/batch` for a set, and in several for a long list, one
   * after another. The first response has started when the promise resolves. If the server rejects
   * a request, throws an error with the problem's detail. `starts`: undefined for the set that a
   * stored program declares.
   */
  async evaluate(selection: ServerSelection, starts: Starts | undefined): Promise<BatchResults> {
    if (starts?.kind === 'file') return this.#evaluateList(selection, await readStarts(starts.file));
    const set = starts && { starts: startSetJson(starts.set) };
    const lines = new ResponseLines(await this.#begin({ ...selection, ...set, ordered: true }));
    const { total } = await lines.head();
    return { total, chunks: lines.chunks() };
  }

  async #evaluateList(selection: ServerSelection, uris: readonly string[]): Promise<BatchResults> {
    if (uris.length === 0) return { total: 0, chunks: none() };
    const first = await this.#begin({ ...selection, uris: uris.slice(0, BATCH), ordered: true });
    return { total: uris.length, chunks: this.#batches(selection, uris, first) };
  }

  async *#batches(
    selection: ServerSelection,
    uris: readonly string[],
    first: Response,
  ): AsyncGenerator<ResultChunk> {
    yield* new ResponseLines(first).chunks();
    for (let from = BATCH; from < uris.length; from += BATCH) {
      const next = { ...selection, uris: uris.slice(from, from + BATCH), ordered: true };
      yield* new ResponseLines(await this.#begin(next)).chunks();
    }
  }

  #begin(batch: object): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#request('/ldpath/batch', { method: 'POST', headers, body: JSON.stringify(batch) });
  }

  async #request(target: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(this.#url + target, { ...init, headers }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${this.#url} can't be reached: ${cause}`, { cause: error });
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new Error(`${this.#url} rejects the request: ${response.status} ${detailIn(text)}`);
  }
}

async function* none(): AsyncGenerator<ResultChunk> {}

function detailIn(problem: string): string {
  try {
    return (JSON.parse(problem) as { detail: string }).detail;
  } catch {
    return problem;
  }
}
