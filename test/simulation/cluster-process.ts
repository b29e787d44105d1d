import assert from 'node:assert/strict';
import type { Result } from '../../src/errors.ts';
import { newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { writeCheckpoint } from '../../src/store/checkpoint/write-checkpoint.ts';
import { StateDigest } from '../../src/store/cluster/state-digest.ts';
import type { TransactionResult } from '../../src/store/main/transaction.ts';
import type { ChangeRequest, Maintenance } from '../../src/store/messages.ts';
import { recoverSharedStore } from '../../src/store/recovery/open-shared.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { commitBig } from '../support/big-write.ts';
import type { FakeLog, FakeSharedLog } from '../support/fake-log.ts';
import type { MemoryCheckpoints } from '../support/memory-checkpoints.ts';
import { orderedContentOf } from '../support/stores.ts';
import type { ClusterCounts } from './cluster-counts.ts';
import { FeedCopy } from './feed-copy.ts';
import { below, chance, type Random, toTransaction } from './random-transactions.ts';
import { SimDisk } from './sim-disk.ts';
import type { ModelTransaction } from './store-model.ts';

/** A transaction that a process was asked to commit. */
export interface SentTransaction {
  /** The subject of a triple that only this transaction adds. */
  readonly mark: string;
  readonly transaction: ModelTransaction;
  /** What became of it: undefined if its process was killed before it could tell. */
  outcome?: TransactionResult | 'refused';
  /** How the labels of its blank nodes begin, if it was worked out as a large one. */
  prefix?: string;
}

export interface ClusterParts {
  readonly random: Random;
  readonly counts: ClusterCounts;
  readonly log: FakeSharedLog;
  readonly checkpoints: MemoryCheckpoints;
  readonly journalMax: number;
  readonly nextTransaction: () => SentTransaction;
  /** A transaction of one operation. */
  readonly nextBigWrite: () => SentTransaction;
}

/** What must be equal in all processes. */
export interface View {
  readonly sequence: number;
  /** In the order of term ids. */
  readonly quads: string;
  readonly terms: readonly string[];
  /** In their own order. */
  readonly graphs: readonly unknown[];
  readonly digest: string;
}

/** A process of the cluster. */
export class ClusterProcess {
  readonly #cluster: ClusterParts;
  /** The error of its clock, in milliseconds. */
  readonly #skew: number;
  #time = 1_000_000_000_000;
  #disk: SimDisk;
  #handle!: FakeLog;
  #store!: Store;
  #feed!: FeedCopy;
  #maintenance: Maintenance | undefined;

  constructor(cluster: ClusterParts) {
    this.#cluster = cluster;
    this.#skew = below(cluster.random, 10) * 60_000;
    this.#disk = new SimDisk({ seed: 1 });
  }

  /** Starts, as often as it takes to come before the next purge of the log. */
  async open(): Promise<void> {
    const { log } = this.#cluster;
    for (;;) {
      const before = log.purged;
      try {
        return await this.#openNow();
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== 'data-damaged' || log.purged === before) throw error;
      }
    }
  }

  async #openNow(): Promise<void> {
    const { log, checkpoints, journalMax } = this.#cluster;
    this.#maintenance = undefined;
    this.#handle = log.open();
    const changeFeed = newChangeFeed({ rows: 2048, commits: 64 });
    const shared = {
      log: this.#handle,
      identity: log.identity,
      checkpoints: checkpoints.on(this.#disk),
      leastDead: 1,
    };
    const settings = { journalMax, dataMax: 2 ** 31, recover: false, changeFeed, now: () => this.#now() };
    this.#store = await recoverSharedStore(this.#disk, shared, settings);
    this.#feed = new FeedCopy(changeFeed);
    this.#feed.verify(this.#store.snapshot);
  }

  #now(): number {
    return ++this.#time + this.#skew;
  }

  async step(): Promise<void> {
    const { random } = this.#cluster;
    this.#time += 100_000;
    this.#store.shared!.setWriter(chance(random, 0.7));
    this.#handle.isConnected = !chance(random, 0.05);
    const choice = random();
    if (choice < 0.3) await this.#commitGroup();
    else if (choice < 0.5) await this.#commitBigWrite();
    else if (choice < 0.6) await this.#besideBreak(() => this.#commitGroup());
    else if (choice < 0.75) await this.#receive();
    else if (choice < 0.87) await this.#maintain();
    else if (choice < 0.9) await this.#besideBreak(() => this.#maintain());
    else if (choice < 0.95) await this.#killDuring();
    await this.#verify();
  }

  /** Takes in everything that has been committed. */
  async catchUp(): Promise<void> {
    this.#handle.isConnected = true;
    while (this.#store.snapshot.sequence < this.#cluster.log.last) {
      await this.#receive();
      await this.#verify();
    }
  }

  view(): View {
    const { snapshot, graphs } = this.#store.opened();
    const { terms } = openSnapshot(snapshot);
    const { termCount } = snapshot.dictionary;
    return {
      sequence: snapshot.sequence,
      quads: orderedContentOf(this.#store),
      terms: Array.from({ length: termCount }, (_, index) => terms.text(index + 1)),
      graphs,
      digest: StateDigest.of(snapshot).text(termCount),
    };
  }

  get store(): Store {
    return this.#store;
  }

  async #commitGroup(): Promise<void> {
    const { random, counts, log, nextTransaction } = this.#cluster;
    const size = chance(random, 0.5) ? 1 : 2 + below(random, 3);
    const sent = Array.from({ length: size }, nextTransaction);
    const before = this.#store.snapshot.sequence;
    const { results } = await this.#store.commit(sent.map(({ transaction }) => toTransaction(transaction)));
    assert.equal(results.length, size);
    for (const [index, result] of results.entries()) this.#note(sent[index]!, result);
    const own = results.filter(({ ok }) => ok).length;
    counts.foreign += this.#store.snapshot.sequence - before - own;
    assert.ok(this.#store.snapshot.sequence <= log.last);
  }

  /** Pool threads work it out, and other things happen between their parts. */
  async #commitBigWrite(): Promise<void> {
    const { random, counts, nextBigWrite } = this.#cluster;
    const sent = nextBigWrite();
    const before = async (request: ChangeRequest) => {
      if (request.kind === 'plan-changes') sent.prefix = `_:${request.blankPrefix}`;
      const choice = random();
      if (choice < 0.2) await this.#commitGroup();
      else if (choice < 0.3) await this.#receive();
      else if (choice < 0.4) await this.#maintain();
    };
    const result = await commitBig(this.#store, null, toTransaction(sent.transaction), { before });
    this.#note(sent, result);
    if (result.ok) counts.bigWrites++;
  }

  #note(sent: SentTransaction, result: Result<TransactionResult>): void {
    const { counts } = this.#cluster;
    sent.outcome = result.ok ? result.value : 'refused';
    if (result.ok) counts.commits++;
    else if (result.error.code === 'unavailable') counts.unavailable++;
    else if (result.error.code === 'precondition-failed') counts.refusals++;
    else assert.ok(this.#store.failure, result.error.message);
  }

  /** The connection breaks meanwhile, and comes back. */
  async #besideBreak(work: () => Promise<void>): Promise<void> {
    const { log } = this.#cluster;
    const handle = this.#handle;
    const breaking = async () => {
      await log.delay();
      handle.isConnected = false;
      await log.delay(3);
      handle.isConnected = true;
    };
    await Promise.all([work(), breaking()]);
  }

  async #receive(): Promise<void> {
    const { counts } = this.#cluster;
    const before = this.#store.snapshot.sequence;
    await this.#store.receive(() => {});
    counts.foreign += this.#store.snapshot.sequence - before;
  }

  /** Begins a checkpoint or compaction, or ends it, with a commit beside that. */
  async #maintain(): Promise<void> {
    const { random, counts } = this.#cluster;
    const begun = this.#maintenance !== undefined;
    this.#maintenance ??= await this.#store.wantedMaintenance();
    const maintenance = this.#maintenance;
    if (!maintenance || (!begun && chance(random, 0.4))) return;
    this.#maintenance = undefined;
    if (maintenance.kind === 'compact') {
      counts.compactions++;
      const value = carryOut(maintenance.compaction);
      await this.#store.endMaintenance({ kind: 'compact', result: { ok: true, value } });
      return;
    }
    counts.checkpoints++;
    const value = await writeCheckpoint(this.#disk, maintenance.snapshot, maintenance.imageFile);
    const ending = this.#store.endMaintenance({ kind: 'checkpoint', result: { ok: true, value } });
    await Promise.all([ending, chance(random, 0.5) && this.#commitGroup()]);
  }

  /** During a commit, or while unused terms are dropped. */
  async #killDuring(): Promise<void> {
    const { random, counts, log, nextTransaction } = this.#cluster;
    const choice = random();
    if (choice < 0.5) void this.#store.commit([toTransaction(nextTransaction().transaction)]);
    else if (choice < 0.7) this.#beginBigWrite();
    else if (!this.#maintenance) void this.#store.wantedMaintenance();
    await log.delay(2);
    this.#handle.kill();
    counts.kills++;
    if (chance(random, 0.5)) this.#disk = new SimDisk({ seed: 1 });
    await this.open();
  }

  #beginBigWrite(): void {
    const sent = this.#cluster.nextBigWrite();
    const before = (request: ChangeRequest) => {
      if (request.kind === 'plan-changes') sent.prefix = `_:${request.blankPrefix}`;
    };
    void commitBig(this.#store, null, toTransaction(sent.transaction), { before });
  }

  /** A process that can't follow any more must have been overtaken by a purge. */
  async #verify(): Promise<void> {
    const { failure, shared, snapshot } = this.#store;
    if (failure) {
      assert.ok(shared!.diverged);
      assert.ok(this.#cluster.log.purged > snapshot.sequence, failure.message);
      this.#cluster.counts.overtaken++;
      this.#handle.kill();
      return this.open();
    }
    this.#feed.verify(snapshot);
  }
}
