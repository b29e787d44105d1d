import type { Caller } from '../../caller.ts';
import { type Condition, conditionHolds, type Validators } from '../../condition.ts';
import { type ErrorData, failure, type Result } from '../../errors.ts';
import { namedGraphs, withDefaultGraph } from '../../graph/named-graphs.ts';
import { emptyBlock, type QuadBlock } from '../../graph/quad-block.ts';
import type { Pool } from '../../pool/pool.ts';
import type { GraphHold, StoreClient } from '../../store/client.ts';
import { type DatasetScope, type DatasetState, datasetState } from '../../store/dataset-state.ts';
import { firstOutcome, type Operation, type Outcome } from '../../store/transaction.ts';
import type { ContextService } from '../contexts.ts';
import type { RdfPayload } from '../payload.ts';
import { type Import, newImport, type StoringTasks } from '../storing-tasks.ts';
import { watchClient } from '../watch-client.ts';

/**
 * How often a replacement that asks for no state in particular is begun while others wait. Only
 * those that were on their way already can overtake it.
 */
const HELD_ATTEMPTS = 20;

export interface DatasetOutcome {
  readonly added: number;
  readonly removed: number;
  /** Quads in the payload, repeated ones counted. */
  readonly payloadSize: number;
}

interface Parsed {
  readonly block: QuadBlock;
  readonly task: Import;
}

/** All graphs that contexts may be, as one: neither the server's own nor those of the LDP space. */
export class DatasetService {
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #storing: StoringTasks;
  readonly #contexts: Pick<ContextService, 'defaultGraph' | 'writable'>;
  readonly #scope: DatasetScope;

  constructor(
    store: StoreClient,
    pool: Pool,
    storing: StoringTasks,
    contexts: Pick<ContextService, 'defaultGraph' | 'writable'>,
    base: string,
  ) {
    this.#store = store;
    this.#pool = pool;
    this.#storing = storing;
    this.#contexts = contexts;
    this.#scope = { ldpSpace: `${base}/ldp` };
  }

  get validators(): Validators {
    const { state, modified } = this.#state();
    return { state, modified: Math.max(modified, this.#store.created) };
  }

  /** Why nothing may be written; undefined when it may. */
  get writeFault(): ErrorData | undefined {
    return this.#store.writeFault;
  }

  /** The document: whole when it is small, else chunk by chunk as the client takes them. */
  read(mediaType: string, caller: Caller): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const detail = { format: mediaType, quads: String(this.#store.snapshot.quadCount) };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const source = { allBut: this.#scope.ldpSpace };
    return this.#pool.serialize(source, mediaType, this.#store.snapshot, info, caller);
  }

  /** Adds quads to the graphs that they name, those without to the default context. */
  async add(
    payload: RdfPayload,
    condition: Condition | undefined,
    caller: Caller,
  ): Promise<Result<DatasetOutcome>> {
    const parsed = await this.#parse(payload, caller);
    if (!parsed.ok) return parsed;
    const { defaultGraph } = this.#contexts;
    return this.#commit(parsed.value, { kind: 'load', defaultGraph, block: parsed.value.block }, condition);
  }

  /** Puts the payload in the place of all that there is. */
  async replace(payload: RdfPayload, condition: Condition, caller: Caller): Promise<Result<DatasetOutcome>> {
    const parsed = await this.#parse(payload, caller);
    if (!parsed.ok) return parsed;
    if (condition.match === '*') return this.#replaceAny(parsed.value, condition);
    const { state } = this.#state();
    const match = condition.match?.filter((each) => each === state) ?? [state];
    return this.#replaceNow(parsed.value, { ...condition, match }, this.#store);
  }

  /** Replaces whatever there is: beside others at first, and then while others wait. */
  async #replaceAny({ block, task }: Parsed, condition: Condition): Promise<Result<DatasetOutcome>> {
    const attempt = (committer: Pick<GraphHold, 'beginCommit'>) => {
      // A block is handed over with its transaction, and may be needed again.
      const copy = { block: structuredClone(block), task };
      return this.#replaceNow(copy, { ...condition, match: [this.#state().state] }, committer);
    };
    let outcome = await attempt(this.#store);
    if (!this.#isOvertaken(outcome, condition)) return outcome;
    const hold = await this.#store.hold('dataset');
    try {
      for (let attempts = 0; attempts < HELD_ATTEMPTS; attempts++) {
        outcome = await attempt(hold);
        if (!this.#isOvertaken(outcome, condition)) break;
      }
      return outcome;
    } finally {
      hold.release();
    }
  }

  /**
   * Whether it was another's change that stopped a replacement, and not what its request asks for.
   */
  #isOvertaken(outcome: Result<DatasetOutcome>, condition: Condition): boolean {
    if (outcome.ok || outcome.error.code !== 'precondition-failed') return false;
    return conditionHolds(condition, this.validators);
  }

  /**
   * The graphs that go are those of this very state, so the condition must ask that it is the state
   * when the transaction's turn comes.
   */
  #replaceNow(
    parsed: Parsed,
    condition: Condition,
    committer: Pick<GraphHold, 'beginCommit'>,
  ): Promise<Result<DatasetOutcome>> {
    const { block } = parsed;
    const { defaultGraph } = this.#contexts;
    const { graphs } = this.#state();
    const named = new Set([defaultGraph, ...namedGraphs(block)]);
    const operation = {
      kind: 'update',
      cleared: [...new Set([...graphs, defaultGraph])],
      removals: emptyBlock(),
      additions: withDefaultGraph(block, defaultGraph),
      created: [],
      dropped: graphs.filter((graph) => !named.has(graph)),
    } as const;
    return this.#commit(parsed, operation, condition, committer);
  }

  async #parse(payload: RdfPayload, caller: Caller): Promise<Result<Parsed>> {
    const hasLeft = watchClient(caller);
    const task = newImport('all', payload, caller);
    const parsed = await this.#pool.parse(payload, task.info, caller);
    if (!parsed.ok) return parsed;
    if (hasLeft()) return failure('cancelled', 'The client disconnected before anything was stored.');
    const block = parsed.value;
    for (const graph of [this.#contexts.defaultGraph, ...namedGraphs(block)]) {
      const error = this.#contexts.writable(graph);
      if (error) return { ok: false, error };
    }
    return { ok: true, value: { block, task } };
  }

  async #commit(
    { block, task }: Parsed,
    operation: Operation,
    condition: Condition | undefined,
    committer: Pick<GraphHold, 'beginCommit'> = this.#store,
  ): Promise<Result<DatasetOutcome>> {
    const payloadSize = block.quads.length / 4;
    const preconditions = condition ? [{ ...condition, dataset: this.#scope }] : [];
    const commit = committer.beginCommit({ preconditions, operations: [operation] });
    const outcome = firstOutcome(await this.#storing.during(task, payloadSize, commit));
    return outcome.ok ? { ok: true, value: { ...countsOf(outcome.value), payloadSize } } : outcome;
  }

  #state(): DatasetState {
    return datasetState(this.#store.graphs.entries(), this.#scope, (sequence) => this.#store.state(sequence));
  }
}

function countsOf({ added, removed }: Outcome): Pick<DatasetOutcome, 'added' | 'removed'> {
  return { added, removed };
}
