import type {
  BatchOfSet,
  BatchOptions,
  EvaluationOptions,
  InFormat,
  SentDataOptions,
  StoredBatchOptions,
  TextBatchOptions,
} from './batch-options.ts';
import { batchResults } from './batch-response.ts';
import type { CheckReport, TracedResult } from './path-results.ts';
import type {
  BatchLine,
  BatchLines,
  Fields,
  LineFormat,
  NodeObject,
  ResultIn,
  ResultOf,
  Selection,
} from './result-types.ts';
import type { CallOptions, Parameters, Sender } from './sender.ts';

export interface CheckOptions extends EvaluationOptions {
  /** What the text is; a program by default. */
  readonly kind?: 'program' | 'path';
}

export interface FunctionDescription {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

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
  batch<Format extends LineFormat = 'nodes'>(
    program: string,
    options: BatchOptions & InFormat<Format>,
  ): BatchLines<ResultIn<Format>> {
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
  batchOfStored<Format extends LineFormat = 'nodes'>(
    name: string,
    options: StoredBatchOptions & InFormat<Format> = {},
  ): BatchLines<ResultIn<Format>> {
    return this.#batch({ name }, options);
  }

  /**
   * Evaluates a selection for many start resources. Returns the response with all results as one
   * text, to be read by `text()` or from `body`. Start resources with an error are left out; if the
   * batch fails after its beginning, reading does.
   */
  batchText(selection: Selection, { signal, prefixes, ...members }: TextBatchOptions): Promise<Response> {
    return this.#post('/ldpath/batch', { ...selection, ...members, ...declared(prefixes) }, signal);
  }

  /** Evaluates a selection on RDF that is sent with it, and not stored. */
  async evaluate<Selected extends Selection>(
    selection: Selected,
    data: string,
    { signal, prefixes, type, ...members }: SentDataOptions,
  ): Promise<BatchLine<ResultOf<Selected>>[]> {
    const dataType = type !== undefined && { dataType: type };
    const request = { ...selection, data, ...dataType, ...members, ...declared(prefixes) };
    const response = await this.#post('/ldpath/evaluate', request, signal);
    const lines: BatchLine<ResultOf<Selected>>[] = [];
    for await (const line of batchResults<ResultOf<Selected>>(response, signal)) lines.push(line);
    return lines;
  }

  /** Returns all functions of the language. */
  functions(options?: CallOptions): Promise<FunctionDescription[]> {
    return this.#sender.json('/ldpath/functions', {}, options);
  }

  async *#batch<Result>(
    selection: Selection,
    options: (BatchOptions | StoredBatchOptions) & InFormat<LineFormat>,
  ): BatchLines<Result> {
    const { signal, prefixes, onStart, onCursor, ...members } = options as Partial<BatchOfSet>;
    const request = { ...selection, ...members, ...declared(prefixes) };
    const response = await this.#post('/ldpath/batch', request, signal);
    return yield* batchResults<Result>(response, signal, { onStart, onCursor });
  }

  #post(path: string, members: object, signal: AbortSignal | undefined): Promise<Response> {
    const body = JSON.stringify(members);
    // The member `format` replaces this type of the response.
    const request = { method: 'POST', accept: 'application/x-ndjson', type: 'application/json', body };
    return this.#sender.send(path, request, { signal });
  }
}

function namespacesOf(prefixes: Readonly<Record<string, string>> = {}): Parameters {
  return Object.fromEntries(Object.entries(prefixes).map(([prefix, iri]) => [`ns_${prefix}`, iri]));
}

/** Prefixes as a member of JSON. */
function declared(namespaces: Readonly<Record<string, string>> | undefined): object {
  return namespaces ? { namespaces } : {};
}
