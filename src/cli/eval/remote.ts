import type { Selection } from '../../pool/evaluation-request.ts';
import type { NamedStarts } from './options.ts';
import type { BatchResults, ResultChunk } from './results.ts';
import { readStarts } from './start-file.ts';

/** Start resources of one request: the limit of a server with default settings. */
const BATCH = 10_000;
const INSTANCES = '^<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const NEWLINE = 0x0a;

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
   * Evaluates in requests to `/ldpath/batch`, one after another. The first response has started
   * when the promise resolves. If the server rejects a request, throws an error with the problem's
   * detail.
   */
  async evaluate(selection: Selection, choice: NamedStarts): Promise<BatchResults> {
    const starts = await this.#starts(choice);
    if (starts.length === 0) return { total: 0, chunks: none() };
    const first = await this.#begin(selection, starts.slice(0, BATCH));
    return { total: starts.length, chunks: this.#batches(selection, starts, first) };
  }

  async #starts(choice: NamedStarts): Promise<string[]> {
    if (choice.kind === 'file') return readStarts(choice.file);
    const query = new URLSearchParams({ path: INSTANCES, uri: choice.type });
    const response = await this.#request(`/ldpath/path?${query}`, {});
    const nodes = (await response.json()) as { type: string; value: string }[];
    return nodes.map(({ type, value }) => (type === 'bnode' ? `_:${value}` : value));
  }

  async *#batches(
    selection: Selection,
    starts: readonly string[],
    first: Response,
  ): AsyncGenerator<ResultChunk> {
    yield* resultsOf(first);
    for (let from = BATCH; from < starts.length; from += BATCH) {
      yield* resultsOf(await this.#begin(selection, starts.slice(from, from + BATCH)));
    }
  }

  #begin({ mode, source }: Selection, uris: readonly string[]): Promise<Response> {
    const body = JSON.stringify({ [mode]: source, uris, ordered: true });
    const headers = { 'Content-Type': 'application/json' };
    return this.#request('/ldpath/batch', { method: 'POST', headers, body });
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

async function* resultsOf({ body }: Response): AsyncGenerator<ResultChunk> {
  if (!body) throw new Error('The response of the server has no body.');
  const lines = new LineSplitter();
  for await (const chunk of body) {
    const bytes = lines.push(chunk as Uint8Array);
    if (bytes.length > 0) yield { bytes, count: countLines(bytes), errors: 0 };
  }
  yield { bytes: new Uint8Array(0), count: 0, errors: errorsIn(lines.rest) };
}

/**
 * Returns whole lines and keeps the last line of the stream in `rest`. It reports how the stream
 * ended.
 */
class LineSplitter {
  rest: Uint8Array = new Uint8Array(0);

  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = bytes.at(-1) === NEWLINE ? bytes.length - 2 : bytes.length - 1;
    const lines = bytes.lastIndexOf(NEWLINE, end) + 1;
    this.rest = bytes.slice(lines);
    return bytes.subarray(0, lines);
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function errorsIn(lastLine: Uint8Array): number {
  const text = Buffer.from(lastLine).toString();
  const last = text.startsWith('{"done":')
    ? (JSON.parse(text) as { done: boolean; errors: number })
    : undefined;
  if (last?.done) return last.errors;
  throw new Error(last ? 'The server cancelled the batch.' : 'The response of the server is incomplete.');
}

function detailIn(problem: string): string {
  try {
    return (JSON.parse(problem) as { detail: string }).detail;
  } catch {
    return problem;
  }
}
