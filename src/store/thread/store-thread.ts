import { resolve } from 'node:path';
import { ownThread } from '../../base/thread-priority.ts';
import { type ErrorData, errorData, type Result, toErrorData } from '../../errors.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { DescriptorSender } from '../../snapshot/feed/descriptor-link.ts';
import { BigWriteQueue, type Member } from '../big-write/queue.ts';
import { LogFollower } from '../cluster/log-follower.ts';
import type { FetchProgress } from '../cluster/shared-checkpoints.ts';
import type { TransactionResult } from '../main/transaction.ts';
import type {
  CommitResult,
  FromStore,
  Maintenance,
  MaintenanceOutcome,
  Published,
  Sent,
  StoreSettings,
  ToStore,
} from '../messages.ts';
import { openStore } from '../recovery/open-store.ts';
import { RetiredMemory } from '../retired-memory.ts';
import { graphBlocked, outdated, type Store } from './store.ts';

/** What a store thread runs in: its process sees it through these functions alone. */
export interface StoreThreadHost {
  readonly post: (message: FromStore) => void;
  /** Called when the data directory has been released. */
  readonly onClosed: () => void;
  /** Opens the store; by default, the one in the data directory of the settings. */
  readonly open?: typeof openStore;
}

/**
 * Runs the store thread: receives messages and does the waiting work one step at a time. While a
 * step awaits the disk, more transactions are queued; they become the next group (group commit).
 */
export class StoreThread {
  readonly #settings: StoreSettings;
  readonly #post: StoreThreadHost['post'];
  readonly #onClosed: StoreThreadHost['onClosed'];
  readonly #openStore: typeof openStore;
  readonly #waiting: Member[] = [];
  readonly #outcomes: MaintenanceOutcome[] = [];
  readonly #descriptors = new DescriptorSender();
  readonly #retired = new RetiredMemory();
  #store: Store | undefined;
  #bigWrites: BigWriteQueue | undefined;
  /** Only if the log is shared. */
  #follower: LogFollower | undefined;
  #maintaining = false;
  /** The installation of a checkpoint, if one is in progress. */
  #installing: Promise<void> = Promise.resolve();
  #working = false;
  #isClosing = false;
  /** What has been reported of the store's failure. */
  #told: 'disabled' | 'diverged' | undefined;

  constructor(settings: StoreSettings, { post, onClosed, open = openStore }: StoreThreadHost) {
    this.#settings = settings;
    this.#post = post;
    this.#onClosed = onClosed;
    this.#openStore = open;
  }

  /** Recovers the data, and reports that they can be read, or the error. */
  async open(): Promise<void> {
    try {
      const notice = (message: string) => this.#post({ kind: 'notice', message });
      const onFetch = (progress: FetchProgress) => this.#post({ kind: 'fetching', progress });
      this.#store = await this.#openStore(this.#settings, notice, onFetch);
      this.#bigWrites = this.#bigWritesOf(this.#store);
      const opened = this.#sent(this.#store.opened());
      this.#post({ kind: 'opened', opened, thread: ownThread() });
      this.#follower = this.#followerOf(this.#store);
      void this.#work(this.#store);
    } catch (error) {
      this.#post({ kind: 'failed', error: toErrorData(error) });
      this.#onClosed();
    }
  }

  #bigWritesOf(store: Store): BigWriteQueue {
    return new BigWriteQueue({
      store,
      directory: resolve(this.#settings.directory ?? ''),
      lease: this.#settings.lease,
      post: (work, request) => this.#post({ kind: 'work', work, request }),
      wake: () => this.#wake(),
      reject: (member, error) => this.#rejectAll([member], error),
      requeue: (members) => {
        this.#waiting.unshift(...members);
        this.#wake();
      },
    });
  }

  #followerOf(store: Store): LogFollower | undefined {
    if (!store.shared) return undefined;
    return new LogFollower(store, store.shared, {
      wake: () => this.#wake(),
      publish: (published) => this.#postPublished(published),
      tell: (unavailable) => {
        this.#post({ kind: 'reachable', error: unavailable ?? null });
        if (unavailable && this.#waiting.length > 0) this.#rejectAll(this.#waiting.splice(0), unavailable);
      },
    });
  }

  /** Commits that arrive together form one group. */
  receive(...messages: readonly ToStore[]): void {
    for (const message of messages) this.#take(message);
    this.#wake();
  }

  #wake(): void {
    if (this.#store && !this.#working) void this.#work(this.#store);
  }

  #take(message: ToStore): void {
    if (message.kind === 'commit') this.#enqueue(message);
    else if (message.kind === 'maintained') this.#outcomes.push(message.outcome);
    else if (message.kind === 'worked-out') this.#bigWrites?.endWork(message.work, message.result);
    else if (message.kind === 'writer') this.#store?.shared?.setWriter(message.isWriter);
    else this.#beginClosing();
  }

  #beginClosing(): void {
    this.#isClosing = true;
    this.#follower?.beginClosing();
    this.#bigWrites?.close(closing());
  }

  #enqueue(message: Member): void {
    if (!this.#isClosing) this.#waiting.push(message);
    else this.#rejectAll([message], closing());
  }

  /** Works until nothing is waiting; if the store is closing, closes it at the end. */
  async #work(store: Store): Promise<void> {
    this.#working = true;
    do {
      await this.#follow(store);
      const outcome = this.#outcomes.shift();
      if (outcome?.kind === 'checkpoint') this.#installing = this.#install(store, outcome);
      else if (outcome) await this.#endMaintenance(store, outcome);
      else await this.#commit(store);
      await this.#beginMaintenance(store);
      await this.#bigWrites?.takeTurn();
    } while (this.#hasWork);
    if (this.#isClosing) await this.#close(store);
    else this.#working = false;
  }

  get #hasWork(): boolean {
    if (this.#waiting.length > 0 || this.#outcomes.length > 0 || this.#bigWrites?.hasWork) return true;
    return !this.#isClosing && this.#follower?.hasWork === true;
  }

  /** Takes in what other processes have committed, so that the next group is planned on it. */
  async #follow(store: Store): Promise<void> {
    try {
      await this.#follower?.takeTurn();
    } catch (error) {
      store.giveUp(error);
    }
    this.#tellFailure(store);
  }

  async #commit(store: Store): Promise<void> {
    const installation = this.#bigWrites?.nextInstallation();
    const group: readonly Member[] = [...(installation ? [installation] : []), ...this.#nextGroup(store)];
    if (group.length === 0) return;
    try {
      const blocked = this.#bigWrites?.blockedBeside(installation);
      const { results, published } = await store.commit(
        group.map(({ transaction }) => transaction),
        blocked,
      );
      // Sent first, so that a client that receives its result also sees whether writes are
      // disabled.
      this.#tellFailure(store);
      this.#postResults(group, results, published);
      installation?.settle(isOutdated(results[0]) ? undefined : results[0]);
    } catch (error) {
      // The state of the store is unknown; the data on disk decide at the next start.
      const failure = store.giveUp(error);
      this.#tellFailure(store);
      this.#rejectAll(group, failure);
      installation?.settle({ ok: false, error: failure });
    }
  }

  /** Returns the waiting transactions, except for large ones, which are started here. */
  #nextGroup(store: Store): Member[] {
    return this.#waiting.splice(0).filter((member) => {
      const operation = store.bigOperation(member.transaction);
      if (operation) this.#bigWrites?.begin(member, operation);
      return !operation;
    });
  }

  #postResults(
    group: readonly Member[],
    results: readonly Result<TransactionResult>[],
    published: Published | null,
  ): void {
    const settled: CommitResult[] = [];
    group.forEach((member, i) => {
      const result = results[i] as Result<TransactionResult>;
      if (!result.ok && result.error === graphBlocked) this.#bigWrites?.holdBack(member);
      else if (!isOutdated(result)) settled.push([member.id, result]);
    });
    this.#post({ kind: 'committed', published: published && this.#sent(published), results: settled });
  }

  #postPublished(published: Published): void {
    this.#post({ kind: 'published', published: this.#sent(published) });
  }

  #sent<T extends { readonly snapshot: SnapshotDescriptor }>(news: T): Sent<T> {
    this.#retired.use(news.snapshot);
    return { ...news, snapshot: this.#descriptors.update(news.snapshot) };
  }

  #rejectAll(group: readonly Member[], error: ErrorData): void {
    const results = group.map(({ id }) => [id, { ok: false, error }] as const);
    this.#post({ kind: 'committed', published: null, results });
  }

  /** Reports once that writes are disabled, and once that this process has diverged. */
  #tellFailure({ failure, shared }: Store): void {
    if (!failure) return;
    const kind = shared?.diverged ? 'diverged' : 'disabled';
    if (this.#told === kind || this.#told === 'diverged') return;
    this.#told = kind;
    if (shared && kind === 'diverged') this.#post({ kind, error: failure, isOvertaken: shared.isOvertaken });
    else this.#post({ kind: 'disabled', error: failure });
  }

  async #beginMaintenance(store: Store): Promise<void> {
    if (this.#maintaining || this.#isClosing) return;
    try {
      const maintenance = await store.wantedMaintenance((published) => this.#postPublished(published));
      this.#tellFailure(store);
      if (!maintenance) return;
      this.#maintaining = true;
      this.#post({ kind: 'wanted', maintenance: this.#located(maintenance) });
    } catch (error) {
      store.giveUp(error);
      this.#tellFailure(store);
    }
  }

  #located(maintenance: Maintenance): Maintenance {
    const { directory, lease } = this.#settings;
    return maintenance.kind === 'compact'
      ? maintenance
      : { ...maintenance, directory: resolve(directory ?? ''), lease };
  }

  /** Commits continue meanwhile, because the installation only waits for the disk. */
  async #install(store: Store, outcome: MaintenanceOutcome): Promise<void> {
    await this.#endMaintenance(store, outcome);
    if (!this.#working) void this.#work(store);
  }

  async #endMaintenance(store: Store, outcome: MaintenanceOutcome): Promise<void> {
    try {
      const published = await store.endMaintenance(outcome);
      if (published) this.#postPublished(published);
      this.#post({ kind: 'ended', succeeded: true });
    } catch (error) {
      const { message } = toErrorData(error);
      this.#post({ kind: 'notice', message: `Maintenance (${outcome.kind}) failed: ${message}` });
      this.#post({ kind: 'ended', succeeded: false });
    } finally {
      this.#maintaining = false;
    }
  }

  async #close(store: Store): Promise<void> {
    await this.#installing;
    await this.#bigWrites?.ended();
    // Commit the transactions that had to wait for a large one.
    await this.#commit(store);
    try {
      await store.close();
    } catch (error) {
      const { message } = toErrorData(error);
      this.#post({ kind: 'notice', message: `The data directory could not be closed cleanly: ${message}` });
    }
    this.#follower?.ended();
    this.#onClosed();
  }
}

/** Whether a transaction must be prepared again. */
function isOutdated(result: Result<unknown> | undefined): boolean {
  return result?.ok === false && result.error === outdated;
}

function closing(): ErrorData {
  return errorData('shutting-down', 'The store is closing.');
}
