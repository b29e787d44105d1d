import type { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type ErrorData, fromErrorData, type Result, shuttingDown, toErrorData } from '../../errors.ts';
import { isTakenOver, writesDisabled } from '../../journal/errors.ts';
import { type Lock, lockDirectory } from '../../journal/lock/lock.ts';
import { JournalMeter } from '../../journal/meter.ts';
import { startWorker } from '../../pool/threads/worker-url.ts';
import { type QuadBlock, transferables } from '../../rdf/model/quad-block.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { newChangeFeed } from '../../snapshot/feed/change-feed.ts';
import { DescriptorReceiver } from '../../snapshot/feed/descriptor-link.ts';
import { GraphTable } from '../../snapshot/graphs/table.ts';
import type { FetchProgress } from '../cluster/shared-checkpoints.ts';
import { BoardNumbers, CommitBoard } from '../commit-board.ts';
import type {
  ChangeRequest,
  CommitMessage,
  Divergence,
  FromStore,
  Maintenance,
  MaintenanceOutcome,
  OpenedStore,
  Published,
  Sent,
  StoreSettings,
  ToStore,
  WorkedOut,
} from '../messages.ts';
import { isBig as isBigTransaction, StorePriority } from '../priority.ts';
import { stateOf } from '../registry/identity.ts';
import { RetiredMemory } from '../retired-memory.ts';
import { CommitWaiters } from './commit-waiters.ts';
import { GraphGate, type HeldGraphs } from './graph-gate.ts';
import { type MaintenanceEvent, MaintenanceWatch } from './maintenance-watch.ts';
import type { Operation, Transaction, TransactionResult } from './transaction.ts';

/** The work of the store that other threads do. */
export interface StoreWork {
  maintain(maintenance: Maintenance): Promise<MaintenanceOutcome>;
  /** Works out a part of a large change. */
  workOut(request: ChangeRequest): Promise<WorkedOut>;
}

/** A store thread. It emits the same events as a `Worker`: `message`, `error` and `exit`. */
export interface StoreWorker extends EventEmitter {
  postMessage(messages: readonly ToStore[], transfer?: readonly ArrayBuffer[]): void;
  /** Missing where it is no thread of its own. */
  readonly performance?: Worker['performance'];
}

export interface StoreClientOptions
  extends Omit<StoreSettings, 'lease' | 'fence' | 'commitBoard' | 'changeFeed' | 'journalMeter'> {
  /**
   * Duration of the lease on the data directory, in milliseconds. If set, a lease is used even
   * where a kernel lock would be possible.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Called with each message for the operator (the journal's tail was cut, writes were disabled).
   */
  readonly notice: (message: string) => void;
  /** Called while a shared checkpoint is fetched: at the beginning, and after each hundredth. */
  readonly onFetch?: (progress: FetchProgress) => void;
  /** Called when a checkpoint or a compaction starts and ends. */
  readonly onMaintenance?: (event: MaintenanceEvent) => void;
  /** If it is missing, no maintenance is done, and `bigWriteRows` must be missing too. */
  readonly work?: StoreWork;
  /** Starts the store thread; by default, one that runs `workers/store.ts`. */
  readonly startThread?: (settings: StoreSettings) => StoreWorker;
}

type WorkMessage = Extract<FromStore, { kind: 'work' }>;
type OpenedMessage = Extract<FromStore, { kind: 'opened' }>;

/** A transaction in progress. */
export interface PendingCommit {
  readonly result: Promise<Result<TransactionResult>>;
  /** The number of triples of its blocks that have been processed so far. */
  planned(): number;
  /**
   * Ends the transaction with `cancelled`. Returns false if it is too late: the transaction is
   * being written, or has its result.
   */
  cancel(): boolean;
}

/** Exclusive write access to graphs. */
export interface GraphHold {
  beginCommit(transaction: Transaction): PendingCommit;
  /** Must be called. */
  release(): void;
}

interface ClientParts {
  readonly lock: Lock;
  readonly opened: Sent<OpenedStore>;
  readonly priority: StorePriority;
  readonly board: CommitBoard;
  readonly changeFeed: SharedArrayBuffer;
  readonly journal: JournalMeter;
  readonly notice: (message: string) => void;
  readonly watch: MaintenanceWatch;
  readonly work: StoreWork | undefined;
}

interface Waiting {
  readonly resolve: (result: Result<TransactionResult>) => void;
  readonly isBig: boolean;
}

/**
 * The main thread's side of the store thread: the newest snapshot, the table of graphs that belongs
 * to it, and transactions. A transaction's promise resolves after `snapshot` contains its changes.
 */
export class StoreClient {
  readonly graphs = new GraphTable();
  /** The rows of the most recent commits, for a `ChangeFeedReader` in any thread. */
  readonly changeFeed: SharedArrayBuffer;
  /** What the journal has done since the start. */
  readonly journal: JournalMeter;
  readonly #worker: StoreWorker;
  readonly #lock: Lock;
  readonly #opened: Sent<OpenedStore>;
  readonly #descriptors = new DescriptorReceiver();
  readonly #retired = new RetiredMemory();
  readonly #notice: (message: string) => void;
  readonly #priority: StorePriority;
  readonly #board: CommitBoard;
  readonly #maintenance: MaintenanceWatch;
  readonly #commitWaiters = new CommitWaiters();
  readonly #gate = new GraphGate();
  readonly #waiting = new Map<number, Waiting>();
  /**
   * The transactions of this turn of the event loop. They are posted together, because a message
   * costs as much as a small transaction.
   */
  #outbox: CommitMessage[] = [];
  readonly #exited: Promise<unknown>;
  #lose = () => {};
  #reportFailure: (divergence: Divergence) => void = () => {};
  #snapshot: SnapshotDescriptor;
  #nextId = 1;
  readonly #boardNumbers = new BoardNumbers();
  #writeError: ErrorData | undefined;
  /** The error of writes while a shared log can't be reached. */
  #unreachable: ErrorData | undefined;
  readonly #work: StoreWork | undefined;

  /**
   * Locks the data directory, starts the store thread and waits until the data are loaded. The
   * process has the lock, not the thread: if the thread ends, the process still reads content
   * files. Throws `data-damaged` or `data-locked`.
   */
  static async open(options: StoreClientOptions): Promise<StoreClient> {
    const {
      notice,
      onFetch = () => {},
      onMaintenance = () => {},
      leaseMs,
      work,
      startThread = startStore,
      ...settings
    } = options;
    const { directory } = settings;
    const lock = directory === null ? noLock : await lockDirectory(directory, { leaseMs, notice });
    try {
      const board = new CommitBoard();
      const changeFeed = newChangeFeed();
      const journal = new JournalMeter();
      const { lease, needsFence: fence } = lock;
      const shared = { commitBoard: board.buffer, changeFeed, journalMeter: journal.buffer };
      const data = { ...settings, lease, fence, ...shared };
      const worker = startThread(data);
      const { opened, thread } = await firstMessage(worker, { notice, onFetch });
      await lock.noteFenced();
      const watch = new MaintenanceWatch(onMaintenance);
      const priority = new StorePriority(thread);
      const memories = { board, changeFeed, journal };
      return new StoreClient(worker, { lock, opened, priority, ...memories, notice, watch, work });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** How long the store thread has had work since its start, in milliseconds. */
  get busyMs(): number {
    return this.#worker.performance?.eventLoopUtilization().active ?? 0;
  }

  private constructor(worker: StoreWorker, parts: ClientParts) {
    const { lock, opened, priority, board, changeFeed, journal, notice, watch, work } = parts;
    this.changeFeed = changeFeed;
    this.journal = journal;
    this.#maintenance = watch;
    this.#work = work;
    this.#lock = lock;
    this.#worker = worker;
    this.#board = board;
    this.#opened = opened;
    this.#priority = priority;
    this.#notice = notice;
    this.#snapshot = this.#descriptors.receive(opened.snapshot);
    this.#retired.use(this.#snapshot);
    this.graphs.apply(opened.graphs);
    worker.on('message', (message: FromStore) => this.#receive(message));
    worker.on('error', (error) => this.#fail(error));
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.on('exit', () => this.#fail(new Error('it exited')));
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.failed = new Promise((resolve) => {
      this.#reportFailure = resolve;
    });
    void lock.lost.then(() => this.#disable(toErrorData(writesDisabled('taken-over', undefined))));
  }

  /** The newest version of the data. */
  get snapshot(): SnapshotDescriptor {
    return this.#snapshot;
  }

  /** The name of the data set, which no other one has. */
  get identityName(): string {
    return this.#opened.identity.name;
  }

  /** When the data set was created, in milliseconds since 1970. */
  get created(): number {
    return this.#opened.identity.created;
  }

  /**
   * Resolves when another process has taken the data directory over; nothing in it may be changed
   * from then on. Either the lock or the store thread detects that.
   */
  readonly lost: Promise<void>;

  /**
   * Resolves when the data of this process are no longer those of the other processes with the same
   * log; they must not be shown from then on.
   */
  readonly failed: Promise<Divergence>;

  /** Why writes are rejected; undefined while they are accepted. */
  get writeError(): ErrorData | undefined {
    return this.#writeError ?? this.#unreachable;
  }

  /** The number of transactions that have no result yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Returns the `<state>` of entity tags for a commit's number; 0 means "not written yet". */
  state(sequence: number): string {
    return stateOf(this.#opened.identity, sequence);
  }

  /**
   * Waits until the snapshot contains a commit. Resolves with false if it does not within this time
   * in milliseconds.
   */
  whenCommitted(sequence: number, limitMs: number): Promise<boolean> {
    if (sequence <= this.#snapshot.sequence) return Promise.resolve(true);
    return this.#commitWaiters.wait(sequence, limitMs);
  }

  /**
   * Commits a transaction, which is durable when the promise resolves. The buffers of its blocks
   * are transferred. Errors: `precondition-failed`, `store-full`, `writes-disabled`.
   */
  commit(transaction: Transaction): Promise<Result<TransactionResult>> {
    return this.#pass(transaction);
  }

  /**
   * The same for a long transaction: its progress can be read, and it can be cancelled. Neither is
   * possible while about a thousand other such transactions are in progress.
   */
  beginCommit(transaction: Transaction): PendingCommit {
    return this.#begin(transaction, (numbered) => this.#pass(numbered));
  }

  /**
   * Resolves with exclusive write access to the graphs. From then on, other transactions that may
   * change them wait, except for those already in progress. Only one such hold exists at a time.
   */
  async hold(graphs: HeldGraphs): Promise<GraphHold> {
    const release = await this.#gate.hold(graphs);
    return {
      beginCommit: (transaction) => this.#begin(transaction, (numbered) => this.#commit(numbered)),
      release,
    };
  }

  #begin(
    transaction: Transaction,
    commit: (numbered: Transaction) => Promise<Result<TransactionResult>>,
  ): PendingCommit {
    const id = this.#boardNumbers.take();
    if (id === undefined) return { result: commit(transaction), planned: () => 0, cancel: () => false };
    let isSettled = false;
    const result = commit({ ...transaction, id }).finally(() => {
      isSettled = true;
      this.#boardNumbers.release(id);
    });
    // Once it has its result, another transaction may have its slot on the board.
    return {
      result,
      planned: () => this.#board.planned(id),
      cancel: () => !isSettled && this.#board.cancel(id),
    };
  }

  /** Commits once no other transaction holds a graph that this one may change. */
  async #pass(transaction: Transaction): Promise<Result<TransactionResult>> {
    while (this.#gate.stops(transaction)) await this.#gate.opened();
    return this.#commit(transaction);
  }

  #commit(transaction: Transaction): Promise<Result<TransactionResult>> {
    const { writeError: error } = this;
    if (error) return Promise.resolve({ ok: false, error });
    const id = this.#nextId++;
    const isBig = isBigTransaction(transaction, (graph) => this.graphs.get(graph)?.size ?? 0);
    this.#priority.begin(isBig);
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, isBig });
      if (this.#outbox.length === 0) process.nextTick(() => this.#postCommits());
      this.#outbox.push({ kind: 'commit', id, transaction });
    });
  }

  /**
   * Sets whether this process may write to a log that it shares. At first it may not, and commits
   * are rejected with `unavailable`.
   */
  setWriter(isWriter: boolean): void {
    this.#post({ kind: 'writer', isWriter });
  }

  /** Sets whether the store thread may run at a low priority; at first it may. */
  allowLowPriority(allowed: boolean): void {
    this.#priority.allowLow(allowed);
  }

  /** Waits for running transactions, syncs, and releases the data directory. */
  async close(): Promise<void> {
    this.#writeError ??= shuttingDown();
    this.#post({ kind: 'close' });
    await this.#exited;
    await this.#lock.release();
  }

  #post(message: ToStore): void {
    this.#postCommits();
    this.#worker.postMessage([message]);
  }

  #postCommits(): void {
    const commits = this.#outbox;
    if (commits.length === 0) return;
    this.#outbox = [];
    const buffers = commits.flatMap(({ transaction }) => transaction.operations.flatMap(buffersOf));
    try {
      this.#worker.postMessage(commits, buffers);
    } catch (error) {
      for (const { id } of commits) this.#settle(id, { ok: false, error: toErrorData(error) });
    }
  }

  #receive(message: FromStore): void {
    if (message.kind === 'committed') {
      if (message.published) this.#publish(message.published);
      for (const [id, result] of message.results) this.#settle(id, result);
    } else if (message.kind === 'published') {
      this.#publish(message.published);
    } else if (message.kind === 'wanted') {
      this.#maintenance.begin(message.maintenance);
      this.#doMaintenance(message.maintenance);
    } else if (message.kind === 'ended') {
      this.#maintenance.end(message.succeeded);
    } else if (message.kind === 'work') {
      this.#doWork(message);
    } else if (message.kind === 'disabled') {
      this.#disable(message.error);
    } else if (message.kind === 'diverged') {
      this.#disable(message.error);
      this.#reportFailure(message);
    } else if (message.kind === 'reachable') {
      this.#unreachable = message.error ?? undefined;
    } else if (message.kind === 'notice') {
      this.#notice(message.message);
    }
  }

  #publish({ snapshot, graphs }: Sent<Published>): void {
    this.#snapshot = this.#descriptors.receive(snapshot);
    this.#retired.use(this.#snapshot);
    this.graphs.apply(graphs);
    this.#commitWaiters.note(this.#snapshot.sequence);
  }

  #settle(id: number, result: Result<TransactionResult>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#priority.end(waiting.isBig);
    waiting.resolve(result);
  }

  #doMaintenance(maintenance: Maintenance): void {
    this.#work?.maintain(maintenance).then(
      (outcome) => this.#endMaintenance(outcome),
      (error: unknown) =>
        this.#endMaintenance({ kind: maintenance.kind, result: { ok: false, error: toErrorData(error) } }),
    );
  }

  #doWork({ work, request }: WorkMessage): void {
    const end = (result: WorkedOut) => this.#post({ kind: 'worked-out', work, result });
    this.#work?.workOut(request).then(end, (error: unknown) => end({ ok: false, error: toErrorData(error) }));
  }

  #endMaintenance(outcome: MaintenanceOutcome): void {
    this.#maintenance.note(outcome);
    this.#post({ kind: 'maintained', outcome });
  }

  /**
   * Rejects writes from now on. Both the lock and the store thread may detect that the directory
   * was taken over.
   */
  #disable(error: ErrorData): void {
    if (this.#writeError?.message === error.message) return;
    this.#writeError = error;
    if (isTakenOver(error)) this.#lose();
    this.#notice(error.message);
  }

  /**
   * Called when the store thread is gone: reads continue on the last snapshot, writes are rejected.
   */
  #fail(cause: Error): void {
    // A write that was running does not end any more.
    this.journal.end(this.journal.bytes);
    if (!this.#writeError) {
      const message = `The store thread has stopped (${cause.message}); restart the server.`;
      this.#writeError = { code: 'writes-disabled', message, details: {} };
      this.#notice(message);
    }
    const error = this.#writeError;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { ok: false, error });
  }
}

/** The lock of a store in memory. */
const noLock: Lock = {
  lease: undefined,
  lost: new Promise(() => {}),
  needsFence: false,
  noteFenced: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

function startStore(settings: StoreSettings): StoreWorker {
  return startWorker('store', settings);
}

function firstMessage(
  worker: StoreWorker,
  { notice, onFetch }: Required<Pick<StoreClientOptions, 'notice' | 'onFetch'>>,
): Promise<OpenedMessage> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromStore) => {
      if (message.kind === 'notice') return notice(message.message);
      if (message.kind === 'fetching') return onFetch(message.progress);
      stopListening();
      if (message.kind === 'opened') resolve(message);
      else reject(message.kind === 'failed' ? fromErrorData(message.error) : new Error(message.kind));
    };
    const onEnd = (cause: unknown) => {
      stopListening();
      reject(cause instanceof Error ? cause : new Error(`The store thread ended with ${String(cause)}.`));
    };
    const stopListening = () => worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
  });
}

function buffersOf(operation: Operation): ArrayBuffer[] {
  return blocksOf(operation).flatMap(transferables);
}

function blocksOf(operation: Operation): readonly QuadBlock[] {
  if ('block' in operation) return [operation.block];
  return 'removals' in operation ? [operation.additions, operation.removals] : [];
}
