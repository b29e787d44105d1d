/**
 * One run: random transactions and checkpoints on a real store over a simulated disk, which fails,
 * fills up and loses power at random, compared with a plain model. A seed always has the same
 * effects.
 */
import assert from 'node:assert/strict';
import type { Result } from '../../src/errors.ts';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { writeCheckpoint } from '../../src/store/checkpoint/write-checkpoint.ts';
import type { TransactionResult } from '../../src/store/main/transaction.ts';
import type { ChangeRequest, Maintenance } from '../../src/store/messages.ts';
import { listPatchFiles } from '../../src/store/patch/file.ts';
import { patchReferences } from '../../src/store/patch/references.ts';
import { stateOf } from '../../src/store/registry/identity.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { commitBig } from '../support/big-write.ts';
import { oracleLines } from '../support/oxigraph-oracle.ts';
import { contentOf, openOn, orderedContentOf } from '../support/stores.ts';
import {
  below,
  chance,
  oneOf,
  type Random,
  randomTransaction,
  toTransaction,
} from './random-transactions.ts';
import { SimCrash, SimDisk, type SimOperation, seededRandom } from './sim-disk.ts';
import { type ModelResult, type ModelTransaction, StoreModel } from './store-model.ts';

/** What happened in runs, to know that they meet what they are made for. */
export interface RunCounts {
  commits: number;
  checkpoints: number;
  reopenings: number;
  crashes: number;
  refusals: number;
  /** Transactions that were never acknowledged and are there all the same. */
  unacknowledged: number;
  /** Damages to a directory that was closed well, each of which a start refused. */
  damages: number;
  /** Transactions whose changes pool threads worked out. */
  bigWrites: number;
}

export function newCounts(): RunCounts {
  return {
    commits: 0,
    checkpoints: 0,
    reopenings: 0,
    crashes: 0,
    refusals: 0,
    unacknowledged: 0,
    damages: 0,
    bigWrites: 0,
  };
}

/**
 * Rejects if the invariant does not hold. `bigWrites`: pool threads compute the changes of single
 * operations.
 */
export async function runSimulation(seed: number, counts: RunCounts, bigWrites = false): Promise<void> {
  const random = seededRandom(seed);
  const run = new StoreRun(seed, random, counts, bigWrites);
  await run.open();
  for (let steps = 4 + below(random, 11); steps > 0; steps--) await run.step();
  await run.reopen();
}

const faulty: readonly SimOperation[] = [
  'append',
  'sync',
  'open',
  'rename',
  'syncDirectory',
  'remove',
  'list',
];

class StoreRun {
  readonly #disk: SimDisk;
  readonly #random: Random;
  /** One of its own, so that damages do not change what else a seed does. */
  readonly #damageRandom: Random;
  readonly #counts: RunCounts;
  readonly #options: { readonly journalMax: number };
  /** Content of each graph under each of its published states: entity tags must not lie. */
  readonly #published = new Map<string, string>();
  #store!: Store;
  #model = new StoreModel();
  /** What may be there after a restart beside `#model`: by number of the newest commit. */
  #candidates = new Map<number, StoreModel>();
  #maintenance: Maintenance | undefined;
  readonly #bigWrites: boolean;
  /**
   * Whether the dictionary may have terms that no commit brought, or in another order than the
   * commits.
   */
  #hasOwnOrder = false;

  constructor(seed: number, random: Random, counts: RunCounts, bigWrites: boolean) {
    this.#bigWrites = bigWrites;
    this.#random = random;
    this.#damageRandom = seededRandom(~seed);
    this.#counts = counts;
    this.#disk = new SimDisk({ seed, shortReads: chance(random, 0.3) ? 0.3 : 0 });
    this.#options = { journalMax: oneOf(random, [64, 64, 2000, 2 ** 30]) };
  }

  async open(): Promise<void> {
    this.#store = await openOn(this.#disk, this.#options);
    this.#notePublished();
  }

  async step(): Promise<void> {
    const choice = this.#random();
    if (choice < 0.6) await this.#commitGroup();
    else if (choice < 0.8) await this.#maintain();
    else if (choice < 0.92) this.#plantFault();
    else await this.reopen();
  }

  async #commitGroup(): Promise<void> {
    const { name } = this.#identity;
    const anyState = () => name + below(this.#random, this.#model.sequence + 2).toString(36);
    const size = chance(this.#random, 0.6) ? 1 : 2 + below(this.#random, 3);
    const group = Array.from({ length: size }, () => randomTransaction(this.#random, anyState));
    if (this.#bigWrites && size === 1 && group[0]!.operations.length === 1)
      return this.#commitBigWrite(group[0]!);
    const expected: ModelResult[] = [];
    const candidates = [this.#model];
    for (const transaction of group) {
      const { model, result } = candidates
        .at(-1)!
        .apply(transaction, (sequence) => stateOf(this.#identity, sequence));
      candidates.push(model);
      expected.push(result);
    }
    const hadFault = this.#store.failure !== undefined;
    const { results } = await this.#store.commit(group.map(toTransaction));
    assert.equal(results.length, group.length);
    if (this.#store.failure) {
      assert.ok(results.every((result) => !result.ok));
      if (!hadFault) for (const each of candidates) this.#candidates.set(each.sequence, each);
      this.#counts.refusals++;
      assert.deepEqual(contentOf(this.#store), this.#model.lines());
      return;
    }
    assert.deepEqual(results.map(plain), expected);
    this.#counts.commits += group.length;
    this.#model = candidates.at(-1)!;
    this.#notePublished();
  }

  /** With other commits in between, and the power going at any step. */
  async #commitBigWrite(transaction: ModelTransaction): Promise<void> {
    const hadFault = this.#store.failure !== undefined;
    if (chance(this.#random, 0.2)) this.#disk.crashAfter(below(this.#random, 12));
    let prefix: string | undefined;
    let reached = !hadFault;
    const before = async (request: ChangeRequest) => {
      if (request.kind === 'plan-changes') prefix = `_:${request.blankPrefix}`;
      if (!this.#store.failure && chance(this.#random, 0.15)) await this.#commitBeside();
      reached = this.#store.failure === undefined;
    };
    const result = await commitBig(this.#store, this.#disk, toTransaction(transaction), { before });
    this.#hasOwnOrder = true;
    const stateOfCommit = (sequence: number) => stateOf(this.#identity, sequence);
    const { model, result: expected } = this.#model.apply(transaction, stateOfCommit, prefix);
    if (this.#store.failure) {
      assert.ok(!result.ok);
      if (reached) for (const each of [this.#model, model]) this.#candidates.set(each.sequence, each);
      this.#counts.refusals++;
    } else if (result.ok || result.error.code === 'precondition-failed') {
      assert.deepEqual(plain(result), expected);
      this.#counts.bigWrites++;
      this.#model = model;
      this.#notePublished();
    } else {
      this.#requireFault(result.error);
    }
    assert.deepEqual(contentOf(this.#store), this.#model.lines());
  }

  /** A commit that the store thread works out itself. */
  async #commitBeside(): Promise<void> {
    const transaction = randomTransaction(this.#random, () => 'no state');
    const { model } = this.#model.apply(transaction, (sequence) => stateOf(this.#identity, sequence));
    const hadFault = this.#store.failure !== undefined;
    const { results } = await this.#store.commit([toTransaction(transaction)]);
    if (results[0]!.ok) this.#model = model;
    else if (this.#store.failure && !hadFault) {
      for (const each of [this.#model, model]) this.#candidates.set(each.sequence, each);
    }
    if (!this.#store.failure) this.#notePublished();
  }

  /** Begins a checkpoint or compaction, or ends the current one; commits may come in between. */
  async #maintain(): Promise<void> {
    try {
      const begun = this.#maintenance !== undefined;
      this.#maintenance ??= await this.#store.wantedMaintenance();
      if (this.#maintenance && (begun || chance(this.#random, 0.5))) {
        await this.#endMaintenance(this.#maintenance);
      }
    } catch (error) {
      this.#requireFault(error);
    }
  }

  async #endMaintenance(maintenance: Maintenance): Promise<void> {
    this.#maintenance = undefined;
    const { kind, snapshot } = maintenance;
    if (kind === 'compact') {
      await this.#store.endMaintenance({
        kind,
        result: { ok: true, value: carryOut(maintenance.compaction) },
      });
      return;
    }
    const { imageFile } = maintenance;
    if (chance(this.#random, 0.3)) this.#disk.crashAfter(below(this.#random, 30));
    const written = await writeCheckpoint(this.#disk, snapshot, imageFile).then(
      (value) => ({ ok: true, value }) as const,
      (error: unknown) => {
        this.#requireFault(error);
        return { ok: false, error: { code: 'internal', message: String(error), details: {} } } as const;
      },
    );
    await this.#store.endMaintenance({ kind, result: written });
    this.#counts.checkpoints++;
  }

  /** Only what the disk was told to do may fail. */
  #requireFault(error: unknown): void {
    const { code = '' } = error as { code?: string };
    const isPlanted =
      error instanceof SimCrash ||
      ['EIO', 'ENOSPC', 'writes-disabled', 'store-full', 'internal'].includes(code);
    if (!isPlanted) throw error;
  }

  #plantFault(): void {
    const choice = this.#random();
    if (choice < 0.6) this.#disk.crashAfter(below(this.#random, 30));
    else if (choice < 0.85) this.#disk.failNext(oneOf(this.#random, faulty));
    else this.#disk.capacity = this.#disk.used + below(this.#random, 3000);
  }

  /** Ends in one of the ways in which processes end, starts again, and checks everything. */
  async reopen(): Promise<void> {
    const before = this.#store;
    await this.#end();
    this.#maintenance = undefined;
    this.#disk.capacity = Number.POSITIVE_INFINITY;
    for (let crashes = below(this.#random, 3); crashes > 0; crashes--) await this.#crashWhileOpening();
    this.#store = await openOn(this.#disk, this.#options);
    this.#counts.reopenings++;
    await this.#verify(before);
  }

  async #end(): Promise<void> {
    const isSound = this.#store.failure === undefined;
    let isClosed = false;
    if (chance(this.#random, 0.2) && !this.#disk.crashed) {
      isClosed = await this.#store.close().then(
        () => true,
        () => false,
      );
    }
    this.#cutOrKill();
    if (isClosed && isSound) await this.#refuseDamage();
  }

  /** Damages the newest journal file of a copy, which then must be refused: it was closed well. */
  async #refuseDamage(): Promise<void> {
    const names = await this.#disk.list('');
    const newest = names.findLast((name) => /^journal-\d+\.log$/.test(name))!;
    const bytes = Buffer.from(this.#disk.bytesOf(newest));
    const at = below(this.#damageRandom, bytes.length);
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << below(this.#damageRandom, 8);
    const damaged = oneOf(this.#damageRandom, [flipped, bytes.subarray(0, at), undefined]);
    const copy = new SimDisk({ seed: 1 });
    for (const name of names) {
      const content = name === newest ? damaged : this.#disk.bytesOf(name);
      if (content) copy.put(name, content);
    }
    await assert.rejects(openOn(copy, this.#options), { code: 'data-damaged' });
    this.#counts.damages++;
  }

  /**
   * Cuts the power, or kills the process, possibly during an operation, so that the system's cache
   * survives.
   */
  #cutOrKill(): void {
    if (this.#disk.crashed || chance(this.#random, 0.5)) this.#counts.crashes++;
    if (chance(this.#random, 0.6)) this.#disk.restart();
    else this.#disk.kill();
  }

  async #crashWhileOpening(): Promise<void> {
    this.#disk.crashAfter(below(this.#random, 40));
    await openOn(this.#disk, this.#options).catch((error: unknown) => {
      if (!(error instanceof SimCrash)) throw error;
    });
    this.#cutOrKill();
  }

  async #verify(before: Store): Promise<void> {
    const { identity, snapshot } = this.#store.opened();
    assert.deepEqual(identity, before.opened().identity);
    const acknowledged = this.#model.sequence;
    const model = snapshot.sequence === acknowledged ? this.#model : this.#candidates.get(snapshot.sequence);
    assert.ok(model, `commit ${snapshot.sequence} is there, ${acknowledged} was the last acknowledged`);
    this.#counts.unacknowledged += snapshot.sequence - acknowledged;
    assert.deepEqual(contentOf(this.#store), model.lines());
    assert.deepEqual(await oracleLines(this.#disk), model.lines());
    assert.deepEqual(rowsOf(this.#store), model.rows());
    const named = (await patchReferences(this.#disk)).map(({ name }) => name);
    assert.deepEqual(await listPatchFiles(this.#disk), named.sort());
    if (snapshot.sequence === acknowledged) {
      if (!this.#hasOwnOrder) assert.equal(orderedContentOf(this.#store), orderedContentOf(before));
      assert.deepEqual(new Map(this.#store.opened().graphs), new Map(before.opened().graphs));
    }
    this.#model = model;
    this.#hasOwnOrder = false;
    this.#candidates.clear();
    this.#notePublished();
  }

  #notePublished(): void {
    assert.deepEqual(rowsOf(this.#store), this.#model.rows());
    for (const [name, { rows, sequence }] of this.#model.graphs) {
      const tag = `${name} ${stateOf(this.#identity, sequence)}`;
      const content = [...rows].sort().join('\n');
      assert.equal(content, this.#published.get(tag) ?? content, `${tag} stands for two contents`);
      this.#published.set(tag, content);
    }
  }

  get #identity() {
    return this.#store.opened().identity;
  }
}

function plain(result: Result<TransactionResult>): ModelResult {
  if (result.ok) return { ...result.value };
  assert.equal(result.error.code, 'precondition-failed');
  return undefined;
}

function rowsOf(store: Store): Map<string, { size: number; sequence: number }> {
  return new Map(
    store.opened().graphs.map(([name, info]) => [name, { size: info!.size, sequence: info!.sequence }]),
  );
}
