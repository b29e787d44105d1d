import type { Caller } from '../../base/caller.ts';
import { type Restricted, visiblePatterns, writeDenial, writesEverything } from '../../base/graph-access.ts';
import { type Precondition, preconditionHolds, type Validators } from '../../base/precondition.ts';
import { type ErrorData, errorData, failure, noSuchGraph, type Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { namedGraphs, withDefaultGraph } from '../../rdf/model/named-graphs.ts';
import { emptyBlock, NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import type { GraphHold, StoreClient } from '../../store/main/client.ts';
import {
  type DatasetPrecondition,
  firstOutcome,
  type Operation,
  type Outcome,
} from '../../store/main/transaction.ts';
import { type DatasetScope, type DatasetState, datasetState } from '../../store/registry/dataset-state.ts';
import type { PrefixPair } from '../../store/registry/prefix-operation.ts';
import type { ContextService, UploadParts } from '../contexts/contexts.ts';
import { storingPrefixes } from '../prefixes/learning.ts';
import type { RdfPayload } from '../rdf-payload.ts';
import { type Import, type ImportTasks, newImport } from '../tasks/import-tasks.ts';
import { watchClient } from '../tasks/watch-client.ts';

/**
 * Maximum attempts to replace all data while other writers wait, for a request that does not
 * require a particular state. Only writes that were already under way can overtake it.
 */
const HELD_ATTEMPTS = 20;

export interface DatasetOutcome {
  readonly added: number;
  readonly removed: number;
  /** Number of quads in the payload, including repeated ones. */
  readonly payloadSize: number;
}

/** The precondition of an upload, and whether the prefixes that it declares are stored (P-94). */
export interface UploadOptions<Required extends Precondition | undefined> {
  readonly precondition: Required;
  readonly storesPrefixes: boolean;
}

interface Parsed {
  readonly block: QuadBlock;
  readonly task: Import;
  readonly learned: readonly PrefixPair[];
}

type DatasetContexts = Pick<ContextService, 'defaultGraph' | 'ldpSpace' | 'writable'>;

/**
 * All graphs that contexts may use, as one data set: without the system graphs and those of the LDP
 * space.
 */
export class DatasetService {
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #imports: ImportTasks;
  readonly #prefixes: UploadParts['prefixes'];
  readonly #contexts: DatasetContexts;
  readonly #scope: DatasetScope;

  constructor({ store, pool, imports, prefixes }: UploadParts, contexts: DatasetContexts) {
    this.#store = store;
    this.#pool = pool;
    this.#imports = imports;
    this.#prefixes = prefixes;
    this.#contexts = contexts;
    this.#scope = { ldpSpace: contexts.ldpSpace };
  }

  /** `client`: sees only a part of the graphs, which is the data set for it. */
  validators(client: Restricted): Validators {
    const { state, modified } = this.#state(this.#scopeOf(client));
    return { state, modified: Math.max(modified, this.#store.created) };
  }

  /** Why writes are disabled; undefined if they are enabled. */
  get writeError(): ErrorData | undefined {
    return this.#store.writeError;
  }

  /**
   * Returns the document: as a whole if it is small, otherwise in chunks as fast as the client
   * reads them.
   */
  read(mediaType: string, caller: Caller): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const visible = visiblePatterns(caller);
    const quads = visible ? undefined : { quads: String(this.#store.snapshot.quadCount) };
    const detail = { format: mediaType, ...quads };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const source = { allBut: this.#scope.ldpSpace };
    const request = { snapshot: this.#store.snapshot, source, mediaType, ...(visible && { visible }) };
    return this.#pool.serialize(request, info, caller);
  }

  /** Adds quads to the graphs that they name, and those without a graph to the default context. */
  async add(
    payload: RdfPayload,
    { precondition, storesPrefixes }: UploadOptions<Precondition | undefined>,
    caller: Caller,
  ): Promise<Result<DatasetOutcome>> {
    const parsed = await this.#parse(payload, storesPrefixes, caller);
    if (!parsed.ok) return parsed;
    const denied = this.#addDenial(parsed.value.block, caller);
    if (denied) return { ok: false, error: denied };
    const { defaultGraph } = this.#contexts;
    return this.#commit(
      parsed.value,
      { kind: 'load', defaultGraph, block: parsed.value.block },
      precondition && { ...precondition, dataset: this.#scopeOf(caller) },
    );
  }

  /** Returns why the client can't replace all data: that would change what is hidden from it. */
  replaceDenial(client: Restricted): ErrorData | undefined {
    if (writesEverything(client)) return undefined;
    return errorData('forbidden', 'Replacing all data requires credentials that may write all graphs.');
  }

  /** Why the client can't add the quads of a block: it may not write one of their graphs. */
  #addDenial(block: QuadBlock, client: Restricted): ErrorData | undefined {
    const { defaultGraph } = this.#contexts;
    const named = namedGraphs(block);
    const graphs = block.graphs.includes(NO_GRAPH) ? [defaultGraph, ...named] : named;
    for (const graph of graphs) {
      const denied = writeDenial(client, graph, noSuchGraph(graph).error);
      if (denied) return denied;
    }
    return undefined;
  }

  /** Replaces all data by the payload. Error `forbidden`. */
  async replace(
    payload: RdfPayload,
    { precondition, storesPrefixes }: UploadOptions<Precondition>,
    caller: Caller,
  ): Promise<Result<DatasetOutcome>> {
    const denied = this.replaceDenial(caller);
    if (denied) return { ok: false, error: denied };
    const parsed = await this.#parse(payload, storesPrefixes, caller);
    if (!parsed.ok) return parsed;
    if (precondition.match === '*') return this.#replaceAny(parsed.value, precondition);
    const { state } = this.#state();
    const match = precondition.match?.filter((each) => each === state) ?? [state];
    return this.#replaceNow(parsed.value, { ...precondition, match }, this.#store);
  }

  /**
   * Replaces the data whatever their state: first concurrently with other writers, then while other
   * writers wait.
   */
  async #replaceAny(parsed: Parsed, precondition: Precondition): Promise<Result<DatasetOutcome>> {
    const attempt = (committer: Pick<GraphHold, 'beginCommit'>) => {
      // A block is transferred with its transaction, and may be needed again.
      const copy = { ...parsed, block: structuredClone(parsed.block) };
      return this.#replaceNow(copy, { ...precondition, match: [this.#state().state] }, committer);
    };
    let outcome = await attempt(this.#store);
    if (!this.#isOvertaken(outcome, precondition)) return outcome;
    const hold = await this.#store.hold('dataset');
    try {
      for (let attempts = 0; attempts < HELD_ATTEMPTS; attempts++) {
        outcome = await attempt(hold);
        if (!this.#isOvertaken(outcome, precondition)) break;
      }
      return outcome;
    } finally {
      hold.release();
    }
  }

  /**
   * Whether a concurrent change prevented a replacement, rather than the request's own
   * precondition.
   */
  #isOvertaken(outcome: Result<DatasetOutcome>, precondition: Precondition): boolean {
    if (outcome.ok || outcome.error.code !== 'precondition-failed') return false;
    return preconditionHolds(precondition, this.#state());
  }

  /**
   * The removed graphs are those of the current state, so the precondition must require that this
   * is still the state when the transaction is executed.
   */
  #replaceNow(
    parsed: Parsed,
    precondition: Precondition,
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
    return this.#commit(parsed, operation, { ...precondition, dataset: this.#scope }, committer);
  }

  async #parse(payload: RdfPayload, storesPrefixes: boolean, caller: Caller): Promise<Result<Parsed>> {
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
    const learned = storesPrefixes ? this.#prefixes.unknownIn([block.prefixes]) : [];
    return { ok: true, value: { block, task, learned } };
  }

  async #commit(
    { block, task, learned }: Parsed,
    operation: Operation,
    precondition: DatasetPrecondition | undefined,
    committer: Pick<GraphHold, 'beginCommit'> = this.#store,
  ): Promise<Result<DatasetOutcome>> {
    const payloadSize = block.quads.length / 4;
    const preconditions = precondition ? [precondition] : [];
    const commit = storingPrefixes(learned, this.#store, committer).beginCommit({
      preconditions,
      operations: [operation],
    });
    const outcome = firstOutcome(await this.#imports.during(task, payloadSize, commit));
    return outcome.ok ? { ok: true, value: { ...countsOf(outcome.value), payloadSize } } : outcome;
  }

  #scopeOf(client: Restricted): DatasetScope {
    const visible = visiblePatterns(client);
    return visible ? { ...this.#scope, visible } : this.#scope;
  }

  #state(scope = this.#scope): DatasetState {
    return datasetState(this.#store.graphs.entries(), scope, (sequence) => this.#store.state(sequence));
  }
}

function countsOf({ added, removed }: Outcome): Pick<DatasetOutcome, 'added' | 'removed'> {
  return { added, removed };
}
