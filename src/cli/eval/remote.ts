import type { ShapeOptions } from '../../ldpath/shapes/format.ts';
import type { Frame } from '../../ldpath/shapes/result-shape.ts';
import { startSetJson } from '../../rdf/model/resources/start-set.ts';
import { framed, JoinedResponses, withoutResults } from './framed-documents.ts';
import type { Starts } from './options.ts';
import { ResponseLines } from './response-lines.ts';
import type { BatchResults, ResultChunk } from './results.ts';
import { readStarts } from './start-file.ts';

/** Start resources of one request: the limit of a server with default settings. */
const BATCH = 10_000;
/** How often the task is asked for the progress, in milliseconds. */
const PROGRESS_MS = 1_000;

/** A program, or the name of one that the server has stored. */
export type ServerSelection = ({ readonly program: string } | { readonly name: string }) &
  Partial<ShapeOptions>;

/** The task of a batch (http-api 6.2). */
interface BatchTask {
  readonly state: string;
  readonly progress: number;
  /** 0 if unknown. */
  readonly totalSteps: number;
  readonly detailMessages: { readonly errors: string; readonly firstErrors?: string };
}

/** Evaluates programs on the data of a running server. */
export class RemoteData {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #notice: (message: string) => void;

  /** `url`: base URL, without a trailing slash. `authorization`: value of that header. */
  constructor(url: string, authorization: string | undefined, notice: (message: string) => void) {
    this.#url = url;
    this.#notice = notice;
    this.#headers = authorization === undefined ? {} : { Authorization: authorization };
  }

  /**
   * Evaluates in one request to `/ldpath/batch` for a set, and in several for a long list, one
   * after another. The first response has started when the promise resolves. If the server rejects
   * a request, throws an error with the problem's detail. `starts`: undefined for the set that a
   * stored program declares. `frame`: of the format, if it is one of documents.
   */
  async evaluate(
    selection: ServerSelection,
    starts: Starts | undefined,
    frame: Frame | undefined,
  ): Promise<BatchResults> {
    if (starts?.kind === 'file') {
      const uris = await readStarts(starts.file);
      // Only the server knows the program, and so what a document without results begins with.
      if (uris.length === 0 && 'name' in selection) {
        throw new Error(`The file ${starts.file} has no start resources`);
      }
      return this.#evaluateList(selection, uris, frame);
    }
    const set = starts && { starts: startSetJson(starts.set) };
    const response = await this.#begin({ ...selection, ...set, ordered: true });
    if (frame) {
      const task = await this.#task(taskPath(response));
      return { total: task?.totalSteps || null, chunks: this.#documents([response], frame) };
    }
    const lines = new ResponseLines(response);
    const { total } = await lines.head();
    return { total, chunks: lines.chunks() };
  }

  async #evaluateList(
    selection: ServerSelection,
    uris: readonly string[],
    frame: Frame | undefined,
  ): Promise<BatchResults> {
    if (uris.length === 0) return { total: 0, chunks: frame ? framed(frame, none()) : none() };
    const first = await this.#begin({ ...selection, uris: uris.slice(0, BATCH), ordered: true });
    const responses = this.#responses(selection, uris, first);
    return {
      total: uris.length,
      chunks: frame ? this.#documents(responses, frame) : linesIn(responses),
    };
  }

  async *#responses(
    selection: ServerSelection,
    uris: readonly string[],
    first: Response,
  ): AsyncGenerator<Response> {
    yield first;
    for (let from = BATCH; from < uris.length; from += BATCH) {
      yield this.#begin({ ...selection, uris: uris.slice(from, from + BATCH), ordered: true });
    }
  }

  /** Yields the documents of all responses, as if they were one. */
  async *#documents(
    responses: AsyncIterable<Response> | Iterable<Response>,
    frame: Frame,
  ): AsyncGenerator<ResultChunk> {
    const joined = new JoinedResponses(frame);
    for await (const response of responses) yield* this.#documentsOf(response, joined);
    yield withoutResults(joined.tail);
  }

  /** Counts from the task of the batch: documents have no place for errors (http-api P-53). */
  async *#documentsOf(response: Response, joined: JoinedResponses): AsyncGenerator<ResultChunk> {
    const path = taskPath(response);
    let counted = 0;
    let asked = performance.now();
    for await (const bytes of joined.pieces(response)) {
      if (performance.now() < asked + PROGRESS_MS) {
        yield withoutResults(bytes);
        continue;
      }
      asked = performance.now();
      const progress = (await this.#task(path))?.progress ?? counted;
      yield { bytes, count: progress - counted, errors: 0 };
      counted = progress;
    }
    const task = await this.#task(path);
    if (task?.state !== 'ended') throw new Error('The server does not tell how the batch has ended.');
    const { errors, firstErrors } = task.detailMessages;
    for (const error of firstErrors?.split('\n') ?? []) this.#notice(error);
    yield { bytes: new Uint8Array(0), count: task.progress - counted, errors: Number(errors) };
  }

  /** Undefined if there is no such task. */
  async #task(path: string): Promise<BatchTask | undefined> {
    const response = await this.#send(path, { headers: { Accept: 'application/json' } });
    if (response.ok) return (await response.json()) as BatchTask;
    await response.body?.cancel();
    return undefined;
  }

  /** The prefixes that the server knows; undefined for one that does not tell. */
  async prefixes(): Promise<Readonly<Record<string, string>> | undefined> {
    const response = await this.#send('/prefixes', { headers: { Accept: 'application/json' } });
    if (response.ok) return (await response.json()) as Record<string, string>;
    await response.body?.cancel();
    return undefined;
  }

  #begin(batch: object): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#request('/ldpath/batch', { method: 'POST', headers, body: JSON.stringify(batch) });
  }

  async #request(target: string, init: RequestInit): Promise<Response> {
    const response = await this.#send(target, init);
    if (response.ok) return response;
    const text = await response.text();
    throw new Error(`${this.#url} rejects the request: ${response.status} ${detailIn(text)}`);
  }

  #send(target: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) };
    return fetch(this.#url + target, { ...init, headers }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${this.#url} can't be reached: ${cause}`, { cause: error });
    });
  }
}

/** Returns the target of the batch's task, below the base URL. */
function taskPath({ headers }: Response): string {
  const path = /\/tasks\/[^>]+/.exec(headers.get('link') ?? '')?.[0];
  if (path === undefined) throw new Error('The server does not name the task of the batch.');
  return path;
}

async function* linesIn(responses: AsyncIterable<Response>): AsyncGenerator<ResultChunk> {
  for await (const response of responses) yield* new ResponseLines(response).chunks();
}

async function* none(): AsyncGenerator<ResultChunk> {}

function detailIn(problem: string): string {
  try {
    return (JSON.parse(problem) as { detail: string }).detail;
  } catch {
    return problem;
  }
}
