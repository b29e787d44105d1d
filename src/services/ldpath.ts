import { AppError, type Result, toErrorData } from '../errors.ts';
import type { Evaluation } from '../pool/messages.ts';
import type { Pool } from '../pool/pool.ts';
import { SYSTEM_GRAPH } from '../snapshot/system-graph.ts';
import type { StoreClient } from '../store/client.ts';
import type { OnAbort } from './payload.ts';

/** Evaluates paths and programs in the pool (http-api section 4). */
export class LdPathService {
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #maxSourceBytes: number;

  constructor(store: StoreClient, pool: Pool, maxSourceBytes: number) {
    this.#store = store;
    this.#pool = pool;
    this.#maxSourceBytes = maxSourceBytes;
  }

  /**
   * The JSON text of the answer. Errors: those of compilation, `resource-not-found`, `too-large`, `time-limit`,
   * `budget-exceeded`, `overloaded`, `cancelled`.
   */
  evaluate(evaluation: Omit<Evaluation, 'known'>, onAbort: OnAbort): Promise<Result<Uint8Array>> {
    const { source, start, mode } = evaluation;
    if (Buffer.byteLength(source) > this.#maxSourceBytes) {
      const message = `A ${mode} may have ${this.#maxSourceBytes} bytes at most.`;
      return Promise.resolve({ ok: false, error: toErrorData(new AppError('too-large', message)) });
    }
    const known = start !== SYSTEM_GRAPH && this.#store.graphs.get(start) !== undefined;
    return this.#pool.evaluate({ ...evaluation, known }, onAbort);
  }
}
