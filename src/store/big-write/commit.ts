/**
 * The steps of a large transaction. Pool threads do the work that grows with its size, so that it
 * does not delay other writes:
 *
 *     plan     a pool thread works out the effective changes on a snapshot, with provisional ids
 *              for new terms
 *     terms    the store thread adds the new terms to the dictionary, in slices between groups
 *     build    a pool thread builds a delta run and writes the patch file, with real ids
 *     install  the store thread publishes both, as one transaction of a group
 *
 * If a graph that it depends on has changed meanwhile, all steps are repeated. After a few
 * attempts, other writes to these graphs wait until the transaction has finished.
 *
 * In a log that several processes share, terms get their ids in the order of the log, so these
 * steps follow after `plan`:
 *
 *     encode   a pool thread builds a delta run and the record, with provisional ids
 *     install  the store thread appends the record, and then adds the terms and moves the run to
 *              their ids, as one transaction that is a group of its own
 */
import { type ErrorData, errorData, fromErrorData, type Result, toErrorData } from '../../errors.ts';
import type { Lease } from '../../journal/lock/lease.ts';
import type {
  BuiltChanges,
  CommitProgress,
  EncodedChanges,
  PlannedChanges,
} from '../../pool/change-messages.ts';
import type { GraphOperation } from '../../snapshot/write/graph-operation.ts';
import { TermImport } from '../graphs/term-import.ts';
import type { Transaction } from '../main/transaction.ts';
import type { ChangeRequest } from '../messages.ts';
import type { PatchReference } from '../patch/patch.ts';
import { isValid, type PreparedChanges } from '../planning/prepared-changes.ts';
import type { BigWriteBasis, Store } from '../thread/store.ts';

/** Number of attempts during which other transactions may change the same graphs. */
const FREE_ATTEMPTS = 3;
/** The longest time, in milliseconds, for which the store thread adds terms in one go. */
const SLICE_MS = 10;

/** What a large transaction needs from the store thread. */
export interface BigWriteHost {
  readonly store: Store;
  /** Absolute path of the data directory. */
  readonly directory: string;
  /**
   * Proves that the directory still belongs to this process; undefined where no proof is needed.
   */
  readonly lease: Lease | undefined;
  /** Runs `work` between two commit groups. Rejects when the store is closing. */
  turn<T>(work: () => T): Promise<T>;
  /** Runs a request in a pool thread. */
  workOut(request: Extract<ChangeRequest, { kind: 'plan-changes' }>): Promise<Result<PlannedChanges>>;
  workOut(request: Extract<ChangeRequest, { kind: 'build-changes' }>): Promise<Result<BuiltChanges>>;
  workOut(request: Extract<ChangeRequest, { kind: 'encode-changes' }>): Promise<Result<EncodedChanges>>;
  /**
   * Commits the transaction first in the next group, and returns its result. Undefined if the
   * prepared changes were no longer valid: then nothing was done. `holds`: the transaction has
   * exclusive write access to the graphs that it changes.
   */
  install(prepared: PreparedChanges, holds: boolean): Promise<Result<unknown> | undefined>;
  /**
   * Resolves once this transaction has exclusive write access to the graphs; the function that it
   * resolves with ends that.
   */
  hold(graphs: readonly string[]): Promise<() => void>;
}

/**
 * Resolves with undefined once the transaction's result has been sent, or with the error to send.
 */
export async function commitBigWrite(
  transaction: Transaction,
  operation: GraphOperation,
  host: BigWriteHost,
): Promise<ErrorData | undefined> {
  try {
    return await new BigWriteCommit(transaction, operation, host).run();
  } catch (error) {
    return toErrorData(error);
  }
}

class BigWriteCommit {
  readonly #transaction: Transaction;
  readonly #operation: GraphOperation;
  readonly #progress: CommitProgress | undefined;
  readonly #host: BigWriteHost;
  /** The graphs of the transaction, as the last attempt found them. */
  #graphs: readonly string[] = [];

  constructor(transaction: Transaction, operation: GraphOperation, host: BigWriteHost) {
    this.#transaction = transaction;
    this.#operation = operation;
    this.#progress = host.store.progressOf(transaction);
    this.#host = host;
  }

  async run(): Promise<ErrorData | undefined> {
    for (let attempt = 1; attempt <= FREE_ATTEMPTS; attempt++) {
      if (await this.#attempt(false)) return undefined;
    }
    const release = await this.#host.hold(this.#graphs);
    try {
      if (await this.#attempt(true)) return undefined;
    } finally {
      release();
    }
    if (this.#host.store.shared) throw fromErrorData(overtaken);
    throw new Error('A graph changed during exclusive access to it.');
  }

  /**
   * Whether the transaction's result was sent; false if its graphs had changed. Throws the error to
   * send.
   */
  async #attempt(holds: boolean): Promise<boolean> {
    const { store } = this.#host;
    const basis = await this.#host.turn(() => this.#begin());
    try {
      const planned = await this.#plan(basis);
      this.#graphs = planned.graphs;
      if (store.shared) return await this.#finishShared(basis, planned, holds);
      const newIds = await this.#takeTerms(planned);
      return await this.#finish(basis, planned, newIds, holds);
    } finally {
      store.endBigWrite(basis);
    }
  }

  #begin(): BigWriteBasis {
    const { store } = this.#host;
    const error = store.rejectionOf(this.#transaction, knownGraphs(this.#operation));
    if (error) throw fromErrorData(error);
    return store.beginBigWrite();
  }

  async #plan({ snapshot, blankPrefix }: BigWriteBasis): Promise<PlannedChanges> {
    const request = { kind: 'plan-changes', snapshot, operation: this.#operation, blankPrefix } as const;
    return requireValue(await this.#host.workOut({ ...request, progress: this.#progress }));
  }

  async #takeTerms({ additions, newTerms }: PlannedChanges): Promise<Uint32Array> {
    const { store, turn } = this.#host;
    const terms = new TermImport(newTerms);
    await turn(() => store.requireRoomFor(additions, newTerms));
    while (!(await turn(() => store.takeTerms(terms, SLICE_MS))));
    return terms.ids;
  }

  async #finish(
    basis: BigWriteBasis,
    planned: PlannedChanges,
    newIds: Uint32Array,
    holds: boolean,
  ): Promise<boolean> {
    const { growth, graphs } = planned;
    const rows = planned.rows.length / 4;
    const { changedSince, patchName } = basis;
    if (!isValid({ graphs, changedSince })) return false;
    const built = await this.#build(planned, newIds, patchName);
    const { needsNewFormat } = built;
    const patch = built.patch && patchName ? { ...built.patch, name: patchName, rows, needsNewFormat } : null;
    const prepared = { growth, graphs, run: built.run, patch, changedSince };
    const result = await this.#host.install(prepared, holds);
    if (!result?.ok) await this.#remove(patch);
    return result !== undefined;
  }

  /** Terms get their final ids once the record is in the log, as in all processes. */
  async #finishShared(
    { snapshot, changedSince }: BigWriteBasis,
    { rows, removals, knownTerms, newTerms, growth, graphs }: PlannedChanges,
    holds: boolean,
  ): Promise<boolean> {
    if (!isValid({ graphs, changedSince })) return false;
    const request = { kind: 'encode-changes', snapshot, rows, removals, knownTerms, newTerms } as const;
    const encoded = requireValue(await this.#host.workOut({ ...request, progress: this.#progress }));
    const prepared = { growth, graphs, run: encoded.run, patch: null, encoded, changedSince };
    return (await this.#host.install(prepared, holds)) !== undefined;
  }

  async #build(
    { rows, removals, knownTerms }: PlannedChanges,
    newIds: Uint32Array,
    patchName: string | null,
  ): Promise<BuiltChanges> {
    const { store, directory, lease } = this.#host;
    const patch = patchName === null ? null : { directory, lease, name: patchName };
    const { snapshot } = store;
    const request = { kind: 'build-changes', snapshot, rows, removals, knownTerms, newIds, patch } as const;
    const built = await this.#host.workOut({ ...request, progress: this.#progress });
    // A pool thread that was terminated leaves its file behind.
    if (!built.ok && patchName !== null) await store.removePatch(patchName);
    return requireValue(built);
  }

  async #remove(patch: PatchReference | null): Promise<void> {
    if (patch) await this.#host.store.removePatch(patch.name);
  }
}

/**
 * Returns the graphs that an operation may change, as far as they are known without looking at its
 * quads.
 */
function knownGraphs(operation: GraphOperation): readonly string[] {
  if ('defaultGraph' in operation) return [operation.defaultGraph];
  return operation.kind === 'update' ? [...operation.cleared, ...operation.created] : [operation.graph];
}

const overtaken = errorData(
  'unavailable',
  'Another process wrote at the same time. Nothing was stored; try again.',
);

function requireValue<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw fromErrorData(result.error);
}
