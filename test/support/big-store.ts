import type { Result } from '../../src/errors.ts';
import type { Disk } from '../../src/journal/disk/disk.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { DescriptorReceiver } from '../../src/snapshot/feed/descriptor-link.ts';
import { GraphTable } from '../../src/snapshot/graphs/table.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { CommitBoard } from '../../src/store/commit-board.ts';
import type { Transaction, TransactionResult } from '../../src/store/main/transaction.ts';
import type { ChangeRequest, FromStore, OpenedStore, Published, Sent } from '../../src/store/messages.ts';
import { StoreThread } from '../../src/store/thread/store-thread.ts';
import { workOut } from './big-write.ts';

/** Called before a part of a big change is worked out; it waits for what is returned. */
export type BeforeWork = (request: ChangeRequest) => unknown;

/** A store thread in this thread, for which all single operations on graphs are big ones. */
export class BigStore {
  readonly posted: FromStore[] = [];
  readonly board = new CommitBoard();
  readonly closed: Promise<void>;
  before: BeforeWork = () => {};
  readonly #thread: StoreThread;
  readonly #disk: Disk | null;
  readonly #answers = new Map<number, (result: Result<TransactionResult>) => void>();
  readonly #descriptors = new DescriptorReceiver();
  #reader: SnapshotReader | undefined;
  readonly graphs = new GraphTable();
  identity = '';
  #id = 0;

  static async open(directory: string | null, bigWriteRows = 1): Promise<BigStore> {
    const disk = directory === null ? null : await openNodeDisk(directory);
    const store = new BigStore(directory, disk, bigWriteRows);
    await store.#thread.open();
    return store;
  }

  private constructor(directory: string | null, disk: Disk | null, bigWriteRows: number) {
    this.#disk = disk;
    const limits = { journalMax: 2 ** 40, dataMax: 2 ** 40, recover: false, bigWriteRows };
    const settings = { directory, ...limits, commitBoard: this.board.buffer };
    let onClosed = () => {};
    this.closed = new Promise((resolve) => {
      onClosed = resolve;
    });
    this.#thread = new StoreThread(settings, { post: (message) => this.#receive(message), onClosed });
  }

  /** The published quads. */
  get reader(): SnapshotReader {
    return this.#reader!;
  }

  /** The number of the transaction that is handed in next. */
  get nextId(): number {
    return this.#id + 1;
  }

  commit(transaction: Transaction): Promise<Result<TransactionResult>> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#thread.receive({ kind: 'commit', id, transaction: { ...transaction, id } });
    });
  }

  async close(): Promise<void> {
    this.#thread.receive({ kind: 'close' });
    await this.closed;
  }

  #receive(message: FromStore): void {
    this.posted.push(message);
    if (message.kind === 'opened') this.#begin(message.opened);
    else if (message.kind === 'published') this.#open(message.published);
    else if (message.kind === 'work') void this.#work(message.work, message.request);
    else if (message.kind === 'committed') {
      if (message.published) this.#open(message.published);
      for (const [id, result] of message.results) this.#answers.get(id)?.(result);
    }
  }

  #begin(opened: Sent<OpenedStore>): void {
    this.identity = opened.identity.name;
    this.#open(opened);
  }

  #open({ snapshot, graphs }: Sent<Published>): void {
    this.#reader = openSnapshot(this.#descriptors.receive(snapshot));
    this.graphs.apply(graphs);
  }

  async #work(work: number, request: ChangeRequest): Promise<void> {
    await this.before(request);
    this.#thread.receive({ kind: 'worked-out', work, result: await workOut(request, this.#disk) });
  }
}
