import type { Caller } from '../../base/caller.ts';
import type { Restricted } from '../../base/graph-access.ts';
import { type ErrorData, errorData, type Failure, failure, type Result } from '../../errors.ts';
import type { Frame } from '../../ldpath/shapes/result-shape.ts';
import type { Batch } from '../../pool/batch/batch.ts';
import type { StartList } from '../../pool/batch/start-list.ts';
import type { StartSetPages, StartSetRequest } from '../../pool/batch/start-set-pages.ts';
import type { Evaluation, EvaluationResult, ResultKind, Selection } from '../../pool/evaluation-request.ts';
import type { SentDataOutput } from '../../pool/messages.ts';
import type { Pool, SentDataRequest } from '../../pool/pool.ts';
import { SelectionMap } from '../../pool/runs/selection-map.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { ResourceIndex, ResourceName } from '../resources/existence.ts';

export interface LdPathLimits {
  /** Maximum bytes of a path or program. */
  readonly sourceBytes: number;
  /** Maximum bytes of the results of one `evaluateAll`. */
  readonly resultBytes: number;
}

export interface BatchInput {
  readonly selection: Selection;
  /** A list in one of several forms, or a set. */
  readonly starts: StartList | StartSetInput;
  readonly ordered: boolean;
  /** If true, a start resource that does not exist is treated as one without triples. */
  readonly lenient: boolean;
}

/** A set of start resources, or a part of it. */
export type StartSetInput = Omit<StartSetRequest, 'namespaces'>;

/** Number of evaluations of one `evaluateAll` that are submitted at a time. */
const WINDOW = 64;

/**
 * The same for traces. Each of them compiles the program, so a thread that had several of a large
 * program would take seconds for them.
 */
const TRACE_WINDOW = 1;

/** In the traces of one request. */
const TRACED_NODES = 1000;
const TRACED_EDGES = 2000;

/** Evaluates paths and programs in the pool (http-api section 4). */
export class LdPathService {
  readonly #resources: Pick<ResourceIndex, 'isKnown' | 'view'>;
  readonly #pool: Pick<Pool, 'evaluate' | 'evaluateSent' | 'batch' | 'startSet' | 'rejection'>;
  readonly #store: Pick<StoreClient, 'snapshot' | 'state' | 'identityName'>;
  readonly #limits: LdPathLimits;
  /**
   * Selections of batches that have been compiled. Compiling them again would make each batch wait
   * for a worker.
   */
  readonly #compiled = new SelectionMap<true>();
  readonly #frames = new SelectionMap<Frame>();

  constructor(
    resources: Pick<ResourceIndex, 'isKnown' | 'view'>,
    pool: Pick<Pool, 'evaluate' | 'evaluateSent' | 'batch' | 'startSet' | 'rejection'>,
    store: Pick<StoreClient, 'snapshot' | 'state' | 'identityName'>,
    limits: LdPathLimits,
  ) {
    this.#resources = resources;
    this.#pool = pool;
    this.#store = store;
    this.#limits = limits;
  }

  /** Number of the newest commit. */
  get sequence(): number {
    return this.#store.snapshot.sequence;
  }

  /** Identifies the newest commit (http-api G-150). */
  get commit(): string {
    return `${this.#store.identityName}.${this.sequence}`;
  }

  /** Returns the `<state>` of entity tags for a commit. */
  state(sequence: number): string {
    return this.#store.state(sequence);
  }

  /**
   * Returns the JSON text of the result. Errors: those of compilation, `resource-not-found`,
   * `too-large`, `time-limit`, `budget-exceeded`, `overloaded`, `cancelled`.
   */
  evaluate(
    { mode, source, namespaces, format, separator }: Selection,
    start: string,
    resultKind: ResultKind,
    caller: Caller,
  ): Promise<EvaluationResult> {
    return this.#submit(
      {
        mode,
        source,
        start,
        known: false,
        resultKind,
        ...(namespaces && { namespaces }),
        ...(format && { format }),
        ...(separator !== undefined && { separator }),
      },
      caller,
    );
  }

  #submit(evaluation: Evaluation, caller: Caller): Promise<EvaluationResult> {
    if (isLonger(evaluation.source, this.#limits.sourceBytes)) {
      return Promise.resolve(this.#tooLong(evaluation.mode));
    }
    return this.#pool
      .evaluate(evaluation, caller)
      .then((result) => this.#reconsider(evaluation, result, caller));
  }

  /**
   * Repeats an evaluation whose start resource exists only in a registry. Most start resources
   * occur in a triple, which the worker can see. So the registries, whose look-up would cost the
   * main thread time for every evaluation, are consulted only for the others.
   */
  #reconsider(
    evaluation: Evaluation,
    result: EvaluationResult,
    caller: Caller,
  ): EvaluationResult | Promise<EvaluationResult> {
    if (result.ok || result.error.code !== 'resource-not-found') return result;
    if (!this.#resources.isKnown(evaluation.start, caller)) return result;
    // In a commit that comes before the evaluation, the resource may no longer exist.
    const { sequence } = this;
    return this.#pool
      .evaluate({ ...evaluation, known: true }, caller)
      .then((evaluated) => (evaluated.ok ? { ...evaluated, sequence } : evaluated));
  }

  /** Only compiles: returns the warnings as a JSON array, or the compilation error. */
  check(selection: Selection, caller: Caller): Promise<Result<Uint8Array>> {
    return this.evaluate(selection, '', 'warnings', caller);
  }

  /** Only compiles: returns a `Check` as JSON, of which the compilation error is a part. */
  checkReport(selection: Selection, caller: Caller): Promise<Result<Uint8Array>> {
    return this.evaluate(selection, '', 'check', caller);
  }

  /** Analyses a program: returns a `Traceability` as JSON. Errors: those of compilation. */
  traceability(selection: Selection, caller: Caller): Promise<Result<Uint8Array>> {
    return this.evaluate(selection, '', 'traceability', caller);
  }

  /**
   * Only compiles: returns what surrounds the documents of a selection with a format, or the
   * compilation error.
   */
  async frame(selection: Selection, caller: Caller): Promise<Result<Frame>> {
    const known = this.#frames.get(selection);
    if (known) return { ok: true, value: known };
    const result = await this.evaluate(selection, '', 'frame', caller);
    if (!result.ok) return result;
    const frame = JSON.parse(Buffer.from(result.value).toString()) as Frame;
    this.#frames.set(selection, frame);
    return { ok: true, value: frame };
  }

  /**
   * Returns the error `resource-not-found` for the first start resource that does not exist for the
   * client (R-1, P-2), or undefined if all exist.
   */
  missing(starts: readonly string[], client: Restricted): ErrorData | undefined {
    const uri = starts.find((start) => this.#resources.view(nameOf(start), client) === undefined);
    if (uri === undefined) return undefined;
    return errorData('resource-not-found', `There is no resource ${uri}.`, { uri });
  }

  /** Returns the results for all start resources in order, or the first error in that order. */
  evaluateAll(
    selection: Selection,
    starts: readonly string[],
    resultKind: ResultKind,
    caller: Caller,
  ): Promise<Result<Uint8Array[]>> {
    return this.#all(starts, WINDOW, (start) => this.evaluate(selection, start, resultKind, caller));
  }

  /** Returns the details and traces for all start resources, which share the size of one trace. */
  traceAll(
    { mode, source, namespaces }: Selection,
    starts: readonly string[],
    caller: Caller,
  ): Promise<Result<Uint8Array[]>> {
    const share = (whole: number) => Math.max(1, Math.floor(whole / starts.length));
    const trace = { nodes: share(TRACED_NODES), edges: share(TRACED_EDGES) };
    const common = { mode, source, known: false, resultKind: 'details', trace } as const;
    return this.#all(starts, TRACE_WINDOW, (start) =>
      this.#submit({ ...common, start, ...(namespaces && { namespaces }) }, caller),
    );
  }

  /** `window`: the number of evaluations that are submitted at a time. */
  async #all(
    starts: readonly string[],
    window: number,
    evaluate: (start: string) => Promise<EvaluationResult>,
  ): Promise<Result<Uint8Array[]>> {
    const values: Uint8Array[] = [];
    let bytes = 0;
    for (let from = 0; from < starts.length; from += window) {
      const some = starts.slice(from, from + window);
      const results = await Promise.all(some.map(evaluate));
      for (const result of results) {
        if (!result.ok) return result;
        values.push(result.value);
        bytes += result.value.length;
      }
      if (bytes > this.#limits.resultBytes) {
        return failure(
          'budget-exceeded',
          `The results together exceeded their budget of ${this.#limits.resultBytes} bytes.`,
        );
      }
    }
    return { ok: true, value: values };
  }

  /**
   * Compiles the program and returns a stream of results (http-api 4.8). Errors as for `evaluate`.
   */
  async batch(input: BatchInput, caller: Caller): Promise<Result<Batch>> {
    const { selection, starts, ordered, lenient } = input;
    const rejection = await this.#rejection(selection, caller);
    if (rejection) return { ok: false, error: rejection };
    const known = (start: string) => this.#resources.isKnown(start, caller);
    const request = { caller, selection, ordered, lenient, known };
    if (!('set' in starts)) return this.#pool.batch({ ...request, starts });
    const members = await this.#members(starts, selection, caller);
    return members.ok ? this.#pool.batch({ ...request, starts: members.value }) : members;
  }

  /** Begins to read a set. Errors of its path say that they are about it. */
  async #members(
    starts: StartSetInput,
    { namespaces = {} }: Selection,
    caller: Caller,
  ): Promise<Result<StartSetPages>> {
    const { set } = starts;
    if (set.kind !== 'path') return this.#pool.startSet({ ...starts, namespaces }, caller);
    if (isLonger(set.path, this.#limits.sourceBytes))
      return failure('too-large', `A path must not exceed ${this.#limits.sourceBytes} bytes.`);
    const missing = this.missing(set.from, caller);
    if (missing) return { ok: false, error: missing };
    const members = await this.#pool.startSet({ ...starts, namespaces }, caller);
    if (members.ok) return members;
    const { error } = members;
    return { ok: false, error: { ...error, message: `starts.path: ${error.message}` } };
  }

  /**
   * Evaluates a selection on data that the request contains, and that the store never sees. Errors:
   * those of `evaluate` and of the data, whose source is `data`.
   */
  evaluateSent(request: SentDataRequest, caller: Caller): Promise<Result<SentDataOutput>> {
    const { mode, source } = request.selection;
    if (isLonger(source, this.#limits.sourceBytes)) return Promise.resolve(this.#tooLong(mode));
    const { mediaType: format } = request.document;
    const info = { group: 'LDPath', label: 'evaluation of sent data', detail: { format } };
    return this.#pool.evaluateSent(request, info, caller);
  }

  #tooLong(mode: Selection['mode']): Failure {
    return failure('too-large', `A ${mode} must not exceed ${this.#limits.sourceBytes} bytes.`);
  }

  /** Returns why a batch can't start (P-20), or null if it can. */
  async #rejection(selection: Selection, caller: Caller): Promise<ErrorData | null> {
    if (this.#compiled.get(selection)) return this.#pool.rejection(selection, caller);
    const checked = await this.check(selection, caller);
    if (!checked.ok) return checked.error;
    this.#compiled.set(selection, true);
    return null;
  }
}

function nameOf(start: string): ResourceName {
  return start.startsWith('_:') ? { kind: 'blank', label: start.slice(2) } : { kind: 'uri', uri: start };
}

/**
 * Counts bytes only if the number of characters does not settle it: a UTF-16 code unit has three
 * bytes at most.
 */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}
