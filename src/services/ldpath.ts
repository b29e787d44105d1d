import type { Caller } from '../caller.ts';
import { AppError, type ErrorData, failure, type Result, toErrorData } from '../errors.ts';
import type { Bulk } from '../pool/bulk.ts';
import type { AnswerKind, Evaluation, Selection } from '../pool/messages.ts';
import type { Pool } from '../pool/pool.ts';
import { SelectionMap } from '../pool/selection-map.ts';
import type { StartList } from '../pool/start-list.ts';
import type { ResourceIndex, ResourceName } from './resource-index.ts';

export interface LdPathLimits {
  /** Of a path or program. */
  readonly sourceBytes: number;
  /** Of the answers of one `evaluateAll`. */
  readonly resultBytes: number;
}

export interface Batch {
  readonly selection: Selection;
  /** Start resources, whatever their form. */
  readonly starts: StartList;
  readonly ordered: boolean;
  /** True: a start that does not exist is answered as one about which nothing is said. */
  readonly lenient: boolean;
}

/** Evaluations of one `evaluateAll` that are handed in at one time. */
const WINDOW = 64;

/** Evaluates paths and programs in the pool (http-api section 4). */
export class LdPathService {
  readonly #resources: Pick<ResourceIndex, 'isKnown' | 'view'>;
  readonly #pool: Pick<Pool, 'evaluate' | 'bulk' | 'refusal'>;
  readonly #limits: LdPathLimits;
  /** Selections of batches. To have them compiled again would keep each batch waiting for a thread. */
  readonly #compiled = new SelectionMap<true>();

  constructor(
    resources: Pick<ResourceIndex, 'isKnown' | 'view'>,
    pool: Pick<Pool, 'evaluate' | 'bulk' | 'refusal'>,
    limits: LdPathLimits,
  ) {
    this.#resources = resources;
    this.#pool = pool;
    this.#limits = limits;
  }

  /**
   * The JSON text of the answer. Errors: those of compilation, `resource-not-found`, `too-large`, `time-limit`,
   * `budget-exceeded`, `overloaded`, `cancelled`.
   */
  evaluate(
    { mode, source, namespaces }: Selection,
    start: string,
    answer: AnswerKind,
    caller: Caller,
  ): Promise<Result<Uint8Array>> {
    if (isLonger(source, this.#limits.sourceBytes)) {
      return Promise.resolve(
        failure('too-large', `A ${mode} may have ${this.#limits.sourceBytes} bytes at most.`),
      );
    }
    const evaluation: Evaluation = {
      mode,
      source,
      start,
      known: false,
      answer,
      ...(namespaces && { namespaces }),
    };
    return this.#pool
      .evaluate(evaluation, caller)
      .then((result) => this.#reconsider(evaluation, result, caller));
  }

  /**
   * Most starts are mentioned by a triple, which a thread sees by itself. So the registers, which would cost the main
   * thread a lookup for every evaluation, are asked about the others only.
   */
  #reconsider(
    evaluation: Evaluation,
    result: Result<Uint8Array>,
    caller: Caller,
  ): Result<Uint8Array> | Promise<Result<Uint8Array>> {
    if (result.ok || result.error.code !== 'resource-not-found') return result;
    if (!this.#isKnown(evaluation.start)) return result;
    return this.#pool.evaluate({ ...evaluation, known: true }, caller);
  }

  /** Compiles only: the warnings as the JSON of an array, or why it does not compile. */
  check(selection: Selection, caller: Caller): Promise<Result<Uint8Array>> {
    return this.evaluate(selection, '', 'warnings', caller);
  }

  /** Error `resource-not-found` for the first start that does not exist (R-1, P-2); undefined when all do. */
  missing(starts: readonly string[]): ErrorData | undefined {
    const uri = starts.find((start) => this.#resources.view(nameOf(start)) === undefined);
    if (uri === undefined) return undefined;
    return toErrorData(new AppError('resource-not-found', `There is no resource ${uri}.`, { uri }));
  }

  /** The answers for all starts in their order, or the error of the first that has one. */
  async evaluateAll(
    selection: Selection,
    starts: readonly string[],
    answer: AnswerKind,
    caller: Caller,
  ): Promise<Result<Uint8Array[]>> {
    const answers: Uint8Array[] = [];
    let bytes = 0;
    for (let from = 0; from < starts.length; from += WINDOW) {
      const some = starts.slice(from, from + WINDOW);
      const results = await Promise.all(some.map((start) => this.evaluate(selection, start, answer, caller)));
      for (const result of results) {
        if (!result.ok) return result;
        answers.push(result.value);
        bytes += result.value.length;
      }
      if (bytes > this.#limits.resultBytes) {
        return failure(
          'budget-exceeded',
          `All results exceeded their budget of ${this.#limits.resultBytes} bytes.`,
        );
      }
    }
    return { ok: true, value: answers };
  }

  /** Compiles, and then gives the answers to be taken as they come (http-api 4.8). Errors as for `evaluate`. */
  async batch(batch: Batch, caller: Caller): Promise<Result<Bulk>> {
    const { selection, starts, ordered, lenient } = batch;
    const refusal = await this.#refusal(selection, caller);
    if (refusal) return { ok: false, error: refusal };
    const known = (start: string) => this.#isKnown(start);
    return this.#pool.bulk({ caller, selection, starts, ordered, lenient, known });
  }

  /** Why no batch of it is begun (P-20); null when one may be. */
  async #refusal(selection: Selection, caller: Caller): Promise<ErrorData | null> {
    if (this.#compiled.get(selection)) return this.#pool.refusal(selection, caller);
    const checked = await this.check(selection, caller);
    if (!checked.ok) return checked.error;
    this.#compiled.set(selection, true);
    return null;
  }

  /** Whether it exists though no triple may mention it. */
  #isKnown(start: string): boolean {
    return this.#resources.isKnown(start);
  }
}

function nameOf(start: string): ResourceName {
  return start.startsWith('_:') ? { kind: 'blank', label: start.slice(2) } : { kind: 'uri', uri: start };
}

/** Counts bytes only where their number is in doubt: a character has three of them at most. */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}
