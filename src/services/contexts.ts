import type { Caller } from '../caller.ts';
import { type ErrorData, failure, type Result, toErrorData } from '../errors.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import type { Pool } from '../pool/pool.ts';
import type { SortedNames } from '../snapshot/sorted-names.ts';
import type { PendingCommit, StoreClient } from '../store/client.ts';
import { isServerGraph, protection } from '../store/protected-graphs.ts';
import { firstOutcome, type Operation, type Precondition } from '../store/transaction.ts';
import { listGraphs } from './graph-listing.ts';
import type { RdfPayload } from './payload.ts';
import { type Import, newImport, type StoringTasks } from './storing-tasks.ts';
import { watchClient } from './watch-client.ts';

export interface ContextInfo {
  readonly name: string;
  /** Triples. */
  readonly size: number;
  /** `[a-z0-9]+`; the `<state>` of the graph's entity tags (http-api G-71). */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export interface WriteOutcome {
  readonly created: boolean;
  readonly added: number;
  /** Triples in the graph afterwards. */
  readonly size: number;
  /** Triples in the payload, repeated ones counted. */
  readonly payloadSize: number;
}

export interface ListOptions {
  /** Entries are objects with the names, labels and sizes of graphs; else they are names. */
  readonly labels: boolean;
  /** Only graphs whose name begins with `{base}/context/`. */
  readonly onlyLocal: boolean;
  readonly offset: number;
  readonly limit: number | undefined;
}

/** Named graphs as http-api section 2 means them. */
export class ContextService {
  /** Always exists, even when nothing was ever written to it (C-2). */
  readonly defaultGraph: string;
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #storing: StoringTasks;
  readonly #contextSpace: string;
  readonly #ldpSpace: string;
  readonly #names: SortedNames;

  constructor(store: StoreClient, pool: Pool, storing: StoringTasks, base: string) {
    this.#store = store;
    this.#pool = pool;
    this.#storing = storing;
    this.#contextSpace = `${base}/context/`;
    this.#ldpSpace = `${base}/ldp`;
    this.defaultGraph = `${this.#contextSpace}default`;
    this.#names = store.graphs.keepListing(this.defaultGraph, isServerGraph);
  }

  /** What is known of a graph; undefined when it does not exist or is the server's own (C-4, C-5). */
  info(graph: string): ContextInfo | undefined {
    if (isServerGraph(graph)) return undefined;
    const row = this.#store.graphs.get(graph);
    if (row) {
      return { name: graph, size: row.size, state: this.#store.state(row.sequence), modified: row.modified };
    }
    if (graph !== this.defaultGraph) return undefined;
    return { name: graph, size: 0, state: this.#store.state(0), modified: this.#store.created };
  }

  /** Why the graph may not be written, or undefined when it may (C-5, C-6). */
  writable(graph: string): ErrorData | undefined {
    const refusal = protection(graph, this.#ldpSpace);
    if (refusal) return toErrorData(refusal);
    return this.#store.writeFault;
  }

  /** The graph's document: whole when it is small, else chunk by chunk as the client takes them. */
  read(
    graph: string,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const triples = String(this.#store.graphs.get(graph)?.size ?? 0);
    const detail = { format: mediaType, context: graph, triples };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    return this.#pool.serialize({ graph }, mediaType, this.#store.snapshot, info, caller);
  }

  /**
   * Merges the payload into the graph, or puts it in the graph's place; durable when the promise resolves. Errors: those of
   * the payload, those of `writable`, and those of the commit.
   */
  async write(
    kind: 'merge' | 'replace',
    graph: string,
    payload: RdfPayload,
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<WriteOutcome>> {
    return this.#writeAll(kind, graph, [payload], precondition, caller);
  }

  /** Merges several documents into the graph, all or none. They never share blank nodes. */
  mergeAll(
    graph: string,
    payloads: readonly RdfPayload[],
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<WriteOutcome>> {
    return this.#writeAll('merge', graph, payloads, precondition, caller);
  }

  async #writeAll(
    kind: 'merge' | 'replace',
    graph: string,
    payloads: readonly RdfPayload[],
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<WriteOutcome>> {
    const hasLeft = watchClient(caller);
    const blocks: QuadBlock[] = [];
    let task: Import | undefined;
    for (const payload of payloads) {
      task = newImport(graph, payload, caller);
      const parsed = await this.#pool.parse(payload, task.info, caller);
      if (!parsed.ok) return parsed;
      blocks.push(parsed.value);
    }
    if (!task) return failure('empty-body', 'The body contains no document.');
    if (hasLeft()) return failure('cancelled', 'The client disconnected before anything was stored.');
    // What is wrong with a body is told before what is wrong with its place (http-api 1.10).
    const forbidden = this.writable(graph);
    if (forbidden) return { ok: false, error: forbidden };
    const payloadSize = blocks.reduce((sum, { quads }) => sum + quads.length / 4, 0);
    const operations = blocks.map((block): Operation => ({ kind, graph, block }));
    const committed = await this.#storing.during(task, payloadSize, this.#begin(operations, precondition));
    if (!committed.ok) return committed;
    const { outcomes } = committed.value;
    const added = outcomes.reduce((sum, outcome) => sum + outcome.added, 0);
    const value = { created: !outcomes[0]!.existed, added, size: outcomes.at(-1)!.size, payloadSize };
    return { ok: true, value };
  }

  /** Removes the graph; the default context is emptied instead (C-19). Error `graph-not-found`. */
  async remove(graph: string, precondition: Precondition | undefined): Promise<Result<void>> {
    const keep = graph === this.defaultGraph;
    const committed = firstOutcome(await this.#begin([{ kind: 'drop', graph, keep }], precondition).result);
    if (!committed.ok) return committed;
    if (committed.value.existed || keep) return { ok: true, value: undefined };
    return failure('graph-not-found', `There is no graph <${graph}>.`, { uri: graph });
  }

  /** The JSON of the listing (http-api 2.3): whole when it is short, else page by page as the client takes it. */
  list(options: ListOptions, caller: Caller): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { labels, onlyLocal, offset, limit = Number.POSITIVE_INFINITY } = options;
    const prefix = onlyLocal ? this.#contextSpace : '';
    const info = { group: 'Exporter', label: 'Listing of contexts', detail: {} };
    return listGraphs(this.#names, { labels, prefix, offset, limit }, (names) =>
      this.#pool.writeGraphEntries(names, this.#store.snapshot, info, caller),
    );
  }

  #begin(operations: readonly Operation[], precondition: Precondition | undefined): PendingCommit {
    const preconditions = precondition ? [this.#inStoreTerms(precondition)] : [];
    return this.#store.beginCommit({ preconditions, operations });
  }

  /**
   * The default context exists, with a state, before it is first written and the store's table has a row for it. A client
   * that asks for that state asks, in the store's terms, that the graph was not written yet.
   */
  #inStoreTerms(precondition: Precondition): Precondition {
    const { match, ...others } = precondition;
    if (precondition.graph !== this.defaultGraph || match === undefined) return precondition;
    if (match === '*') return others;
    return match.includes(this.#store.state(0)) ? { ...others, noneMatch: '*' } : precondition;
  }
}
