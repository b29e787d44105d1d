import { IncompleteBatchError, PathpoolError } from './error-response.ts';
import { linesIn } from './lines.ts';
import type { CheckReport, Fields, NodeObject, TracedResult } from './path-results.ts';
import type { CallOptions, Parameters, Sender } from './sender.ts';

export interface EvaluationOptions extends CallOptions {
  /** Namespaces that need no declaration, besides those that the server knows. */
  readonly prefixes?: Readonly<Record<string, string>>;
}

export interface CheckOptions extends EvaluationOptions {
  /** What the text is; a program by default. */
  readonly kind?: 'program' | 'path';
}

/** A set of start resources, of which those are left out for which `@filter` is false. */
export type StartSet =
  | { readonly type: string }
  | { readonly graph: string }
  | { readonly subjects: true }
  /** What a path selects from these resources. */
  | { readonly path: string; readonly from: string | readonly string[] };

export type BatchOptions = BatchOfList | BatchOfSet;

interface BaseOptions extends EvaluationOptions {
  /**
   * Results in the order of `uris`, or in the order that a set has; otherwise as they are ready.
   */
  readonly ordered?: boolean;
}

/** As `BatchOptions`, for a stored program. */
export type StoredBatchOptions =
  | Omit<BatchOfList, 'prefixes'>
  | Omit<BatchOfSet, 'prefixes' | 'starts'>
  | Omit<BatchOfSet, 'prefixes'>;

/** Start resources that are listed. */
export interface BatchOfList extends BaseOptions {
  readonly uris: readonly string[];
  /** For a start resource that does not exist: an error, or a result with nothing selected. */
  readonly missing?: 'error' | 'empty';
}

/** All members of a set. */
export interface BatchOfSet extends BaseOptions {
  readonly starts: StartSet;
  /** Maximum number of members. */
  readonly limit?: number;
  /** Goes on after the results that came before this cursor. */
  readonly cursor?: string;
  /** Called before the first result; `total` is null if it is unknown. */
  readonly onStart?: (start: { readonly position: string; readonly total: number | null }) => void;
  /** Called, with `ordered`, from time to time: all earlier results have been delivered. */
  readonly onCursor?: (cursor: string) => void;
}

export interface BatchResult<Result> {
  readonly uri: string;
  readonly result: Result;
  /** Values of `@filter` and `@boost`, if the program has them. */
  readonly filter?: boolean;
  readonly boost?: number;
  readonly error?: never;
}

export interface BatchFailure {
  readonly uri: string;
  readonly error: { readonly status: number; readonly code: string; readonly detail: string };
  readonly result?: never;
}

export type BatchLine<Result> = BatchResult<Result> | BatchFailure;

/** The last line of a batch. */
export interface BatchSummary {
  readonly count: number;
  readonly errors: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Only for a set: how many members were left out, and the commit as of which it was begun. */
  readonly filtered?: number;
  readonly position?: string;
  /** Only where `limit` has ended a set: the cursor for the rest. */
  readonly cursor?: string;
}

/**
 * The lines of a batch, one for each start resource. The request is sent when reading begins, and
 * cancelled when it ends early. The value of the end is the summary.
 */
export type BatchLines<Result> = AsyncGenerator<BatchLine<Result>, BatchSummary, undefined>;

export interface FunctionDescription {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

interface LastLine extends BatchSummary {
  readonly done: boolean;
}

interface CursorLine {
  readonly cursor: string;
}

interface FirstLine {
  readonly position: string;
  readonly total: number | null;
}

type AnyLine<Result> = BatchLine<Result> | LastLine | CursorLine | FirstLine;

/** LDPath (http-api 4). */
export class PathCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns what a path selects from a start resource. */
  path(path: string, uri: string, { prefixes, ...options }: EvaluationOptions = {}): Promise<NodeObject[]> {
    const parameters = { path, uri, ...namespacesOf(prefixes) };
    return this.#sender.json('/ldpath/path', { parameters }, options);
  }

  /** Evaluates a program for a start resource. */
  program(program: string, uri: string, { prefixes, ...options }: EvaluationOptions = {}): Promise<Fields> {
    const parameters = { uri, ...namespacesOf(prefixes) };
    const request = { method: 'POST', parameters, type: 'text/plain; charset=utf-8', body: program };
    return this.#sender.json('/ldpath/program', request, options);
  }

  /** Compiles a text. Its errors are in the report, and reject nothing. */
  check(text: string, { prefixes, kind, ...options }: CheckOptions = {}): Promise<CheckReport> {
    const parameters = { kind, ...namespacesOf(prefixes) };
    const request = { method: 'POST', parameters, type: 'text/plain; charset=utf-8', body: text };
    return this.#sender.json('/ldpath/check', request, options);
  }

  /** Evaluates a program for a start resource, and returns how the result came about. */
  async trace(
    program: string,
    uri: string,
    { prefixes, ...options }: EvaluationOptions = {},
  ): Promise<TracedResult> {
    const parameters = { trace: true, context: uri, ...namespacesOf(prefixes) };
    const request = { method: 'POST', parameters, type: 'text/plain; charset=utf-8', body: program };
    type Response = Pick<TracedResult, 'warnings'> & { results: Record<string, TracedResult> };
    const { warnings, results } = await this.#sender.json<Response>('/ldpath/debug', request, options);
    return { ...results[uri]!, warnings };
  }

  /**
   * Evaluates a program for many start resources. An error line does not end the batch.
   * @throws PathpoolError, also with the code `cancelled` when the task of the batch was deleted
   * @throws IncompleteBatchError when the connection broke
   */
  batch(program: string, options: BatchOptions): BatchLines<Fields> {
    return this.#batch({ program }, options);
  }

  /** The same for a single path. */
  batchOfPath(path: string, options: BatchOptions): BatchLines<NodeObject[]> {
    return this.#batch({ path }, options);
  }

  /**
   * The same for a stored program, which has prefixes of its own. Without `uris` and `starts`: for
   * the set that it declares.
   */
  batchOfStored(name: string, options: StoredBatchOptions = {}): BatchLines<Fields> {
    return this.#batch({ name }, options);
  }

  /** Returns all functions of the language. */
  functions(options?: CallOptions): Promise<FunctionDescription[]> {
    return this.#sender.json('/ldpath/functions', {}, options);
  }

  async *#batch<Result>(selection: object, options: BatchOptions | StoredBatchOptions): BatchLines<Result> {
    const { signal, prefixes: namespaces, onStart, onCursor, ...members } = options as Partial<BatchOfSet>;
    const body = JSON.stringify({ ...selection, ...members, ...(namespaces && { namespaces }) });
    const request = { method: 'POST', accept: 'application/x-ndjson', type: 'application/json', body };
    const response = await this.#sender.send('/ldpath/batch', request, { signal });
    for await (const line of batchLines<Result>(response, signal)) {
      if ('uri' in line) yield line;
      else if (!('done' in line)) {
        if ('cursor' in line) onCursor?.(line.cursor);
        else onStart?.({ position: line.position, total: line.total });
      } else {
        const { done, ...summary } = line;
        if (done) return summary;
        throw new PathpoolError(503, { code: 'cancelled', detail: 'The batch was cancelled.' });
      }
    }
    throw incomplete();
  }
}

/** @throws the signal's reason, or IncompleteBatchError where the text breaks off */
async function* batchLines<Result>(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnyLine<Result>, void, undefined> {
  try {
    for await (const text of linesIn(response.body!)) yield JSON.parse(text) as AnyLine<Result>;
  } catch (error) {
    signal?.throwIfAborted();
    throw incomplete(error);
  }
}

function incomplete(cause?: unknown): IncompleteBatchError {
  const message = 'The connection ended before the last line of the batch.';
  return new IncompleteBatchError(message, { cause });
}

function namespacesOf(prefixes: Readonly<Record<string, string>> = {}): Parameters {
  return Object.fromEntries(Object.entries(prefixes).map(([prefix, iri]) => [`ns_${prefix}`, iri]));
}
