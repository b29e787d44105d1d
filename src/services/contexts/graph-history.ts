import type { Caller } from '../../base/caller.ts';
import { maySee } from '../../base/graph-access.ts';
import type { ChangeHistory } from '../../changes/main/change-history.ts';
import type { DatedCommit, EarlierGraph } from '../../changes/messages.ts';
import { failure, type Result, toErrorData } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { ID_MASK } from '../../snapshot/runs/order.ts';
import { isServerGraph } from '../../store/graphs/protected-graphs.ts';
import type { StoreClient } from '../../store/main/client.ts';

/**
 * The most clients that read earlier states at once, or wait for that. Each may hold some twenty
 * mebibytes until its response ends.
 */
const MOST_READERS = 16;
/** The most triples of a graph that may differ from now. */
const MOST_QUADS = 2 ** 18;

/** Not the name of a graph. */
const NO_GRAPH = '';

/** Who asks. */
type Reader = Pick<Caller, 'onAbort' | 'access'>;

export interface GraphHistoryParts {
  readonly store: Pick<StoreClient, 'graphs' | 'snapshot' | 'state'>;
  readonly history: Pick<ChangeHistory, 'newest' | 'earlierGraph' | 'lastUntil' | 'positionOf'>;
  readonly pool: Pick<Pool, 'serialize'>;
  /** It always exists (C-2). */
  readonly defaultGraph: string;
}

/** An earlier state of a graph that existed then. It must be released. */
export interface FoundGraph {
  readonly graph: string;
  /** When its commit was made, in milliseconds since 1970; null if that is not known any more. */
  readonly time: number | null;
  /** With which `earlier` differs. */
  readonly snapshot: SnapshotDescriptor;
  readonly earlier: Pick<EarlierGraph, 'rows' | 'prefixes'>;
  /** May be called repeatedly. */
  release(): void;
}

/** Graphs as they were after earlier commits, as far as the changes since are kept. */
export class GraphHistory {
  readonly #parts: GraphHistoryParts;
  #readers = 0;
  /** The end of the last reading of changes: one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: GraphHistoryParts) {
    this.#parts = parts;
  }

  /** Number of the newest commit. */
  get newest(): number {
    return this.#parts.history.newest;
  }

  positionOf(commit: number): string {
    return this.#parts.history.positionOf(commit);
  }

  /** The `<state>` of the entity tags of all graphs as they were after a commit. */
  stateAt(commit: number): string {
    return this.#parts.store.state(commit);
  }

  /**
   * Finds the state of a graph after a commit that exists. Errors: `graph-not-found`,
   * `position-gone`, `budget-exceeded`, `overloaded`, `data-damaged`, `shutting-down`.
   */
  async find(graph: string, commit: number, caller: Reader): Promise<Result<FoundGraph>> {
    const release = this.#enter(caller);
    if (!release) return overloaded;
    const found = await this.#inTurn(caller, () => this.#read(graph, commit, isVisible(graph, caller))).catch(
      asFailure(commit),
    );
    if (!found.ok) {
      release();
      return found;
    }
    return { ok: true, value: { ...found.value, release } };
  }

  /** Returns the document of a state, as `ContextService.read` does. */
  read(
    { graph, snapshot, earlier }: FoundGraph,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const detail = { format: mediaType, context: graph };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    return this.#parts.pool.serialize({ snapshot, source: { graph, earlier }, mediaType }, info, caller);
  }

  /**
   * Returns the last commit until a time in milliseconds since 1970, or the oldest that is kept.
   * Errors: `position-gone` if none is, `overloaded`, `data-damaged`, `shutting-down`.
   */
  async lastUntil(time: number, caller: Pick<Caller, 'onAbort'>): Promise<Result<DatedCommit>> {
    const release = this.#enter(caller);
    if (!release) return overloaded;
    try {
      return await this.#inTurn(caller, async () => {
        const found = await this.#parts.history.lastUntil(time);
        if (found) return { ok: true, value: found };
        return failure('position-gone', 'The server keeps no commit (--changes-retention).');
      });
    } catch (error) {
      return { ok: false, error: toErrorData(error) };
    } finally {
      release();
    }
  }

  async #read(
    graph: string,
    commit: number,
    isVisible: boolean,
  ): Promise<Result<Omit<FoundGraph, 'release'>>> {
    const { store, history, defaultGraph } = this.#parts;
    // Both are as of the request that follows.
    const { snapshot } = store;
    // One that the client may not see is read as one that has never existed (G-161).
    const name = isVisible ? graph : NO_GRAPH;
    const row = store.graphs.get(name);
    const until = row?.sequence ?? snapshot.sequence;
    const earlier = await history.earlierGraph({ graph: name, commit, until, maxQuads: MOST_QUADS });
    if (earlier === 'too-many') return tooMany(commit);
    const { rows, prefixes, existed, time } = earlier;
    const size = (row?.size ?? 0) + growthBack(rows.rows);
    const exists = size > 0 || (existed ?? row !== undefined) || name === defaultGraph;
    if (!exists) {
      const message = `There was no graph <${graph}> after commit ${commit}.`;
      return failure('graph-not-found', message, { uri: graph });
    }
    return { ok: true, value: { graph, time, snapshot, earlier: { rows, prefixes } } };
  }

  /** Returns the function that lets the next one in; undefined if there are too many. */
  #enter(caller: Pick<Caller, 'onAbort'>): (() => void) | undefined {
    if (this.#readers >= MOST_READERS) return undefined;
    this.#readers++;
    let isIn = true;
    const leave = () => {
      if (isIn) this.#readers--;
      isIn = false;
    };
    caller.onAbort(leave);
    return leave;
  }

  #inTurn<T>(caller: Pick<Caller, 'onAbort'>, read: () => Promise<Result<T>>): Promise<Result<T>> {
    let isGone = false;
    caller.onAbort(() => {
      isGone = true;
    });
    const turn = this.#last.then(() => (isGone ? failure('cancelled', 'The client disconnected.') : read()));
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function isVisible(graph: string, reader: Reader): boolean {
  return !isServerGraph(graph) && maySee(reader, graph);
}

/** By how many triples the graph was larger before the changes. */
function growthBack(rows: Uint32Array): number {
  let growth = 0;
  for (let i = 3; i < rows.length; i += 4) growth += rows[i]! > ID_MASK ? 1 : -1;
  return growth;
}

const overloaded = failure(
  'overloaded',
  `${MOST_READERS} clients read earlier versions of graphs already. Try again in a moment.`,
  { retryAfter: 1 },
);

function tooMany(commit: number) {
  return failure(
    'budget-exceeded',
    `Too much has changed since commit ${commit}: more than ${MOST_QUADS} triples of the graph, 16 MiB of their terms, or ${2 ** 22} triples of all graphs. Read it as it was after a later commit.`,
  );
}

/** Words the error of a commit whose changes are not kept. */
function asFailure(commit: number) {
  return (thrown: unknown) => {
    const error = toErrorData(thrown);
    if (error.code !== 'position-gone') return { ok: false, error } as const;
    const { oldest = '' } = error.details;
    const message = `What has changed since commit ${commit} is not kept any more (--changes-retention). The oldest commit that can be read is ${oldest.split('.')[1]}.`;
    return failure('position-gone', message, { oldest });
  };
}
