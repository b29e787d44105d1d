import type { Worker } from 'node:worker_threads';
import { AppError, type ErrorData, fromErrorData, type Result, toErrorData } from '../errors.ts';
import { type QuadBlock, transferables } from '../graph/quad-block.ts';
import { isTakenOver, writesDisabled } from '../journal/errors.ts';
import { type Lock, lockDirectory } from '../journal/lock.ts';
import { startWorker } from '../pool/worker-url.ts';
import { newChangeFeed } from '../snapshot/change-feed.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { DescriptorReceiver } from '../snapshot/descriptor-link.ts';
import { GraphTable } from '../snapshot/graph-table.ts';
import { BoardNumbers, CommitBoard } from './commit-board.ts';
import { GraphGate, type HeldGraphs } from './graph-gate.ts';
import { stateOf } from './identity.ts';
import { type MaintenanceEvent, MaintenanceWatch } from './maintenance-watch.ts';
import type {
  ChangeRequest,
  CommitMessage,
  FromStore,
  Maintenance,
  MaintenanceOutcome,
  OpenedStore,
  Published,
  Sent,
  StoreSettings,
  ToStore,
  WorkedOut,
} from './messages.ts';
import { RetiredMemory } from './retired-memory.ts';
import { isBig as isBigTransaction, StorePriority } from './store-priority.ts';
import type { Operation, Transaction, TransactionResult } from './transaction.ts';

export interface StoreClientOptions extends Omit<StoreSettings, 'lease' | 'fence'> {
  /**
   * Hold the data directory by a lease of this many milliseconds, even where the kernel could hold
   * it.
   */
  readonly leaseMs?: number | undefined;
  /** Called with each thing an operator should know of (a journal's tail cut, writes switched off). */
  readonly notice: (message: string) => void;
  /** Called when a checkpoint or a compaction begins and ends. */
  readonly onMaintenance?: (event: MaintenanceEvent) => void;
  /** Whether other processes have most of the machine, see `HostLoad`. */
  readonly hostIsBusy?: () => boolean;
}

type WorkMessage = Extract<FromStore, { kind: 'work' }>;
type WorkOut = (request: ChangeRequest) => Promise<WorkedOut>;
type OpenedMessage = Extract<FromStore, { kind: 'opened' }>;

/** A transaction on its way. */
export interface PendingCommit {
  readonly result: Promise<Result<TransactionResult>>;
  /** Triples of its blocks that were looked at so far. */
  planned(): number;
  /**
   * Lets it end with `cancelled`. False when it is too late: it is being written, or was answered.
   */
  cancel(): boolean;
}

/** Graphs that nobody else changes. */
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
  readonly notice: (message: string) => void;
  readonly watch: MaintenanceWatch;
}

interface Waiting {
  readonly resolve: (result: Result<TransactionResult>) => void;
  readonly isBig: boolean;
}

/**
 * The main thread's side of the store thread: the newest snapshot with the table of graphs that belongs to it, and
 * transactions. A transaction's promise resolves after the snapshot that contains it is in `snapshot`.
 */
export class StoreClient {
  readonly graphs = new GraphTable();
  /** The rows of the last commits, for a `ChangeFeedReader` in any thread. */
  readonly changeFeed: SharedArrayBuffer;
  readonly #worker: Worker;
  readonly #lock: Lock;
  readonly #opened: Sent<OpenedStore>;
  readonly #descriptors = new DescriptorReceiver();
  readonly #retired = new RetiredMemory();
  readonly #notice: (message: string) => void;
  readonly #priority: StorePriority;
  readonly #board: CommitBoard;
  readonly #maintenance: MaintenanceWatch;
  readonly #gate = new GraphGate();
  readonly #waiting = new Map<number, Waiting>();
  /** Transactions of this turn of the event loop. They are posted together: a message costs as much as a small transaction. */
  #outbox: CommitMessage[] = [];
  readonly #exited: Promise<unknown>;
  #lose = () => {};
  #snapshot: SnapshotDescriptor;
  #nextId = 1;
  readonly #boardNumbers = new BoardNumbers();
  #fault: ErrorData | undefined;
  #maintain: ((maintenance: Maintenance) => Promise<MaintenanceOutcome>) | undefined;
  #wanted: Maintenance | undefined;
  #workOut: WorkOut | undefined;
  /** What nobody has been there for yet. */
  readonly #works: WorkMessage[] = [];

  /**
   * Locks the data directory, starts the store thread and waits until the data are there. The
   * process has the lock, not the thread: should the thread end, the process still reads content
   * files. Errors: `data-damaged`, `data-locked`.
   */
  static async open(options: StoreClientOptions): Promise<StoreClient> {
    const { notice, onMaintenance = () => {}, hostIsBusy, leaseMs, ...settings } = options;
    const { directory } = settings;
    const lock = directory === null ? noLock : await lockDirectory(directory, { leaseMs, notice });
    try {
      const board = new CommitBoard();
      const changeFeed = newChangeFeed();
      const { lease, needsFence: fence } = lock;
      const data = { ...settings, lease, fence, commitBoard: board.buffer, changeFeed };
      const worker = startWorker('store', data);
      const { opened, thread } = await firstAnswer(worker, notice);
      await lock.noteFenced();
      const watch = new MaintenanceWatch(onMaintenance);
      const priority = new StorePriority(thread, hostIsBusy);
      return new StoreClient(worker, { lock, opened, priority, board, changeFeed, notice, watch });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private constructor(
    worker: Worker,
    { lock, opened, priority, board, changeFeed, notice, watch }: ClientParts,
  ) {
    this.changeFeed = changeFeed;
    this.#maintenance = watch;
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
    worker.on('exit', () => this.#fail(new Error('it has ended')));
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    void lock.lost.then(() => this.#disable(toErrorData(writesDisabled('taken-over', undefined))));
  }

  /** The newest version of the data. */
  get snapshot(): SnapshotDescriptor {
    return this.#snapshot;
  }

  /** When the data set was made, milliseconds since 1970. */
  get created(): number {
    return this.#opened.identity.created;
  }

  /**
   * Resolves when another process has taken the data directory over; nothing in it may be changed
   * from then on. The lock may find that, or the store thread.
   */
  readonly lost: Promise<void>;

  /** Why writes are refused; undefined while they are not. */
  get writeFault(): ErrorData | undefined {
    return this.#fault;
  }

  /** The `<state>` of entity tags for a commit's number; 0 stands for "not written yet". */
  state(sequence: number): string {
    return stateOf(this.#opened.identity, sequence);
  }

  /**
   * Durable when the promise resolves. The buffers of the transaction's blocks are handed over. Errors:
   * `precondition-failed`, `store-full`, `writes-disabled`.
   */
  commit(transaction: Transaction): Promise<Result<TransactionResult>> {
    return this.#pass(transaction);
  }

  /**
   * The same for a transaction that takes long: its progress can be watched, and it can be
   * cancelled. Beside a thousand others it can't.
   */
  beginCommit(transaction: Transaction): PendingCommit {
    return this.#begin(transaction, (numbered) => this.#pass(numbered));
  }

  /**
   * From when it resolves, transactions that may change these graphs wait, except for those that it
   * begins itself, and those that are on their way already. There is one hold at a time.
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
    let isAnswered = false;
    const result = commit({ ...transaction, id }).finally(() => {
      isAnswered = true;
      this.#boardNumbers.release(id);
    });
    // Once it is answered, another transaction may have its place on the board.
    return {
      result,
      planned: () => this.#board.planned(id),
      cancel: () => !isAnswered && this.#board.cancel(id),
    };
  }

  /** Commits when no graph is held that the transaction may change. */
  async #pass(transaction: Transaction): Promise<Result<TransactionResult>> {
    while (this.#gate.stops(transaction)) await this.#gate.opened();
    return this.#commit(transaction);
  }

  #commit(transaction: Transaction): Promise<Result<TransactionResult>> {
    if (this.#fault) return Promise.resolve({ ok: false, error: this.#fault });
    const id = this.#nextId++;
    const isBig = isBigTransaction(transaction, (graph) => this.graphs.get(graph)?.size ?? 0);
    this.#priority.begin(isBig);
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, isBig });
      if (this.#outbox.length === 0) process.nextTick(() => this.#postCommits());
      this.#outbox.push({ kind: 'commit', id, transaction });
    });
  }

  /** Says who does maintenance work; it begins with what has been wanted so far. */
  maintainWith(maintain: (maintenance: Maintenance) => Promise<MaintenanceOutcome>): void {
    this.#maintain = maintain;
    if (this.#wanted) this.#doMaintenance(this.#wanted);
  }

  /** Says who works out parts of big changes; it begins with what has been asked for so far. */
  workOutWith(workOut: WorkOut): void {
    this.#workOut = workOut;
    for (const message of this.#works.splice(0)) this.#doWork(message, workOut);
  }

  /** Lets running transactions end, syncs, releases the data directory. */
  async close(): Promise<void> {
    this.#fault ??= new AppError('shutting-down', 'The server is shutting down.');
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
      for (const { id } of commits) this.#answer(id, { ok: false, error: toErrorData(error) });
    }
  }

  #receive(message: FromStore): void {
    if (message.kind === 'committed') {
      if (message.published) this.#publish(message.published);
      for (const [id, result] of message.answers) this.#answer(id, result);
    } else if (message.kind === 'published') {
      this.#publish(message.published);
    } else if (message.kind === 'wanted') {
      this.#maintenance.begin(message.maintenance);
      this.#doMaintenance(message.maintenance);
    } else if (message.kind === 'ended') {
      this.#maintenance.end(message.succeeded);
    } else if (message.kind === 'work') {
      if (this.#workOut) this.#doWork(message, this.#workOut);
      else this.#works.push(message);
    } else if (message.kind === 'disabled') {
      this.#disable(message.fault);
    } else if (message.kind === 'notice') {
      this.#notice(message.message);
    }
  }

  #publish({ snapshot, graphs }: Sent<Published>): void {
    this.#snapshot = this.#descriptors.receive(snapshot);
    this.#retired.use(this.#snapshot);
    this.graphs.apply(graphs);
  }

  #answer(id: number, result: Result<TransactionResult>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#priority.end(waiting.isBig);
    waiting.resolve(result);
  }

  #doMaintenance(maintenance: Maintenance): void {
    this.#wanted = this.#maintain ? undefined : maintenance;
    this.#maintain?.(maintenance).then(
      (outcome) => this.#endMaintenance(outcome),
      (error: unknown) =>
        this.#endMaintenance({ kind: maintenance.kind, result: { ok: false, error: toErrorData(error) } }),
    );
  }

  #doWork({ work, request }: WorkMessage, workOut: WorkOut): void {
    const end = (result: WorkedOut) => this.#post({ kind: 'worked-out', work, result });
    workOut(request).then(end, (error: unknown) => end({ ok: false, error: toErrorData(error) }));
  }

  #endMaintenance(outcome: MaintenanceOutcome): void {
    this.#maintenance.note(outcome);
    this.#post({ kind: 'maintained', outcome });
  }

  /**
   * Writes are refused from now on. Both the lock and the store thread may find that the directory
   * was taken over.
   */
  #disable(fault: ErrorData): void {
    if (this.#fault?.message === fault.message) return;
    this.#fault = fault;
    if (isTakenOver(fault)) this.#lose();
    this.#notice(fault.message);
  }

  /** The store thread is gone: reads go on over the last snapshot, writes are refused. */
  #fail(cause: Error): void {
    if (!this.#fault) {
      const message = `The store thread has stopped (${cause.message}); start the server again.`;
      this.#fault = { code: 'writes-disabled', message, details: {} };
      this.#notice(message);
    }
    const error = this.#fault;
    for (const id of [...this.#waiting.keys()]) this.#answer(id, { ok: false, error });
  }
}

/** Of data in memory. */
const noLock: Lock = {
  lease: undefined,
  lost: new Promise(() => {}),
  needsFence: false,
  noteFenced: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

function firstAnswer(worker: Worker, notice: (message: string) => void): Promise<OpenedMessage> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromStore) => {
      if (message.kind === 'notice') return notice(message.message);
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
