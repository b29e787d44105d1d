import type { Caller } from '../../base/caller.ts';
import { maySee, type Restricted, visiblePatterns, writeDenial } from '../../base/graph-access.ts';
import { type ErrorData, failure, noSuchGraph, type Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { SortedNames } from '../../snapshot/graphs/sorted-names.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import { protection } from '../../store/graphs/protected-graphs.ts';
import type { PendingCommit, StoreClient } from '../../store/main/client.ts';
import { firstOutcome, type GraphPrecondition, type Operation } from '../../store/main/transaction.ts';
import type { PrefixPair } from '../../store/registry/prefix-operation.ts';
import { storingPrefixes } from '../prefixes/learning.ts';
import type { PrefixService } from '../prefixes/service.ts';
import type { RdfPayload } from '../rdf-payload.ts';
import { type Import, type ImportTasks, newImport } from '../tasks/import-tasks.ts';
import { watchClient } from '../tasks/watch-client.ts';
import { listGraphs } from './graph-listing.ts';

export interface ContextInfo {
  readonly name: string;
  /** Number of triples. */
  readonly size: number;
  /** `[a-z0-9]+`; the `<state>` of the graph's entity tags (http-api G-71). */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** A change of one graph. */
export interface GraphWrite {
  /** Whether the payloads are added to the graph, or replace it. */
  readonly kind: 'merge' | 'replace';
  readonly graph: string;
  /** Stored all or none. They never share blank nodes. */
  readonly payloads: readonly RdfPayload[];
  readonly precondition: GraphPrecondition | undefined;
  /** Whether the prefixes that they declare are stored, too (http-api P-94). */
  readonly storesPrefixes: boolean;
}

export interface WriteOutcome {
  readonly created: boolean;
  readonly added: number;
  /** Number of triples in the graph afterwards. */
  readonly size: number;
  /** Number of triples in the payload, including repeated ones. */
  readonly payloadSize: number;
}

export interface ListOptions {
  /**
   * Whether entries are objects with the names, labels and sizes of graphs; otherwise they are
   * names.
   */
  readonly labels: boolean;
  /** Only graphs whose name begins with `{base}/context/`. */
  readonly onlyLocal: boolean;
  readonly offset: number;
  readonly limit: number | undefined;
}

/** What uploads need. */
export interface UploadParts {
  readonly store: StoreClient;
  readonly pool: Pool;
  readonly imports: ImportTasks;
  readonly prefixes: Pick<PrefixService, 'unknownIn'>;
}

/** Named graphs as http-api section 2 defines them. */
export class ContextService {
  /** Always exists, even if nothing has been written to it (C-2). */
  readonly defaultGraph: string;
  /** The prefix of the graphs that only `/ldp` can write. */
  readonly ldpSpace: string;
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #imports: ImportTasks;
  readonly #prefixes: UploadParts['prefixes'];
  readonly #contextSpace: string;
  readonly #names: SortedNames;

  constructor({ store, pool, imports, prefixes }: UploadParts, base: string) {
    this.#store = store;
    this.#pool = pool;
    this.#imports = imports;
    this.#prefixes = prefixes;
    this.#contextSpace = `${base}/context/`;
    this.ldpSpace = `${base}/ldp`;
    this.defaultGraph = `${this.#contextSpace}default`;
    this.#names = store.graphs.keepListing(this.defaultGraph, isServerGraph);
  }

  /**
   * Returns the properties of a graph, or undefined if it does not exist, is a system graph, or is
   * hidden from the client (C-4, C-5, G-161).
   */
  info(graph: string, client: Restricted): ContextInfo | undefined {
    if (isServerGraph(graph) || !maySee(client, graph)) return undefined;
    const row = this.#store.graphs.get(graph);
    if (row) {
      return { name: graph, size: row.size, state: this.#store.state(row.sequence), modified: row.modified };
    }
    if (graph !== this.defaultGraph) return undefined;
    return { name: graph, size: 0, state: this.#store.state(0), modified: this.#store.created };
  }

  /** Returns why the client can't write the graph, whether or not it exists (G-162). */
  denial(graph: string, client: Restricted): ErrorData | undefined {
    return this.#store.writeError ?? writeDenial(client, graph, noSuchGraph(graph).error);
  }

  /** Returns why the graph is read-only, or undefined if it is writable (C-5, C-6). */
  writable(graph: string): ErrorData | undefined {
    return protection(graph, this.ldpSpace) ?? this.#store.writeError;
  }

  /**
   * Returns the graph's document: as a whole if it is small, otherwise in chunks as fast as the
   * client reads them.
   */
  read(
    graph: string,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const triples = String(this.#store.graphs.get(graph)?.size ?? 0);
    const detail = { format: mediaType, context: graph, triples };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const { snapshot } = this.#store;
    return this.#pool.serialize({ snapshot, source: { graph }, mediaType }, info, caller);
  }

  /**
   * Executes a write, which is durable when the promise resolves. Errors: those of the payloads,
   * those of `denial` and `writable`, and those of the commit.
   */
  async write(write: GraphWrite, caller: Caller): Promise<Result<WriteOutcome>> {
    const { kind, graph, payloads, precondition } = write;
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
    // Errors in the body are reported before errors in the target (http-api 1.10).
    const forbidden = this.denial(graph, caller) ?? this.writable(graph);
    if (forbidden) return { ok: false, error: forbidden };
    const payloadSize = blocks.reduce((sum, { quads }) => sum + quads.length / 4, 0);
    const operations = blocks.map((block): Operation => ({ kind, graph, block }));
    const texts = write.storesPrefixes ? blocks.map(({ prefixes }) => prefixes) : [];
    const learned = this.#prefixes.unknownIn(texts);
    const commit = this.#begin(operations, precondition, learned);
    const committed = await this.#imports.during(task, payloadSize, commit);
    if (!committed.ok) return committed;
    const { outcomes } = committed.value;
    const added = outcomes.reduce((sum, outcome) => sum + outcome.added, 0);
    const value = { created: !outcomes[0]!.existed, added, size: outcomes.at(-1)!.size, payloadSize };
    return { ok: true, value };
  }

  /** Removes the graph; the default context is emptied instead (C-19). Error `graph-not-found`. */
  async remove(graph: string, precondition: GraphPrecondition | undefined): Promise<Result<void>> {
    const keep = graph === this.defaultGraph;
    const committed = firstOutcome(await this.#begin([{ kind: 'drop', graph, keep }], precondition).result);
    if (!committed.ok) return committed;
    if (committed.value.existed || keep) return { ok: true, value: undefined };
    return failure('graph-not-found', `There is no graph <${graph}>.`, { uri: graph });
  }

  /**
   * Returns the JSON of the list of graphs (http-api 2.3): as a whole if it is short, otherwise in
   * pages as fast as the client reads them.
   */
  list(options: ListOptions, caller: Caller): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { labels, onlyLocal, offset, limit = Number.POSITIVE_INFINITY } = options;
    const prefix = onlyLocal ? this.#contextSpace : '';
    const visible = visiblePatterns(caller);
    const info = { group: 'Exporter', label: 'Listing of contexts', detail: {} };
    return listGraphs(this.#names, { labels, prefix, offset, limit, visible }, (names) =>
      this.#pool.writeGraphEntries(
        { snapshot: this.#store.snapshot, names, ...(visible && { visible }) },
        info,
        caller,
      ),
    );
  }

  #begin(
    operations: readonly Operation[],
    precondition: GraphPrecondition | undefined,
    learned: readonly PrefixPair[] = [],
  ): PendingCommit {
    const preconditions = precondition ? [this.#inStoreTerms(precondition)] : [];
    const committer = storingPrefixes(learned, this.#store, this.#store);
    return committer.beginCommit({ preconditions, operations });
  }

  /**
   * Translates a precondition for the store. The default context exists and has a state before its
   * first write, when the store's table does not yet have a row for it. For the store, requiring
   * that state means requiring that the graph has not been written.
   */
  #inStoreTerms(precondition: GraphPrecondition): GraphPrecondition {
    const { match, ...others } = precondition;
    if (precondition.graph !== this.defaultGraph || match === undefined) return precondition;
    if (match === '*') return others;
    return match.includes(this.#store.state(0)) ? { ...others, noneMatch: '*' } : precondition;
  }
}
