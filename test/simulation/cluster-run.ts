/**
 * One run: several stores over one shared log in memory, with random transactions at random
 * writers, checkpoints, restarts, and a log that delays, loses and repeats messages, and can't be
 * reached at times. Then all stores must be equal, term ids included, and have each acknowledged
 * commit once. A seed always has the same effects.
 */
import assert from 'node:assert/strict';
import { linesOfBlocks } from '../../src/store/patch/file.ts';
import { blocksOf, headerText, patchTime } from '../../src/store/patch/patch.ts';
import { stateOf } from '../../src/store/registry/identity.ts';
import { FakeSharedLog } from '../support/fake-log.ts';
import { MemoryCheckpoints } from '../support/memory-checkpoints.ts';
import { contentOf } from '../support/stores.ts';
import type { ClusterCounts } from './cluster-counts.ts';
import { type ClusterParts, ClusterProcess, type SentTransaction } from './cluster-process.ts';
import { below, chance, oneOf, type Random, randomTransaction } from './random-transactions.ts';
import { seededRandom } from './sim-disk.ts';
import { type ModelOperation, type ModelRow, StoreModel } from './store-model.ts';

/** The graph of the marks. */
const MARKS = 'urn:x:marks';

/**
 * Rejects if the invariant does not hold. `bulk`: some transactions have thousands of rows, so that
 * compactions become necessary.
 */
export async function runCluster(seed: number, counts: ClusterCounts, bulk = false): Promise<void> {
  const random = seededRandom(seed);
  const run = new ClusterRun(random, counts, bulk);
  await run.start(2 + below(random, 2));
  for (let steps = 6 + below(random, 14); steps > 0; steps--) await run.step();
  await run.finish();
}

/** An operation that also adds these triples. */
function withRows(operation: ModelOperation, rows: readonly ModelRow[]): ModelOperation {
  if (operation.kind === 'drop') return { kind: 'replace', graph: operation.graph, rows };
  const isUpdate = operation.kind === 'update';
  const added = isUpdate ? rows.map(([s, p, o]) => [s, p, o, MARKS] as const) : rows;
  return { ...operation, rows: [...operation.rows, ...added] };
}

function manyRows(random: Random) {
  const count = 2500 + below(random, 3500);
  const kind = oneOf(random, ['merge', 'merge', 'replace'] as const);
  const value = () => below(random, 1000);
  const rows = Array.from({ length: count }, () => [`<urn:b${value()}>`, '<urn:p>', `"${value()}"`] as const);
  return { kind, graph: 'urn:x:bulk', rows } as const;
}

class ClusterRun {
  readonly #parts: ClusterParts;
  readonly #processes: ClusterProcess[] = [];
  readonly #sent: SentTransaction[] = [];
  readonly #bulk: boolean;

  constructor(random: Random, counts: ClusterCounts, bulk: boolean) {
    this.#bulk = bulk;
    const turns = oneOf(random, [1, 5, 40]);
    const chanceOfEach = oneOf(random, [0, 0.1]);
    const faults = { lost: chanceOfEach, late: chanceOfEach, unanswered: chanceOfEach, doubled: 0.1, turns };
    this.#parts = {
      random,
      counts,
      log: new FakeSharedLog(random, faults),
      checkpoints: new MemoryCheckpoints(),
      journalMax: oneOf(random, [64, 2000, 2 ** 30]),
      nextTransaction: () => this.#nextTransaction(),
      nextBigWrite: () => this.#nextBigWrite(),
    };
  }

  async start(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#join();
  }

  async #join(): Promise<ClusterProcess> {
    const process = new ClusterProcess(this.#parts);
    await process.open();
    this.#processes.push(process);
    return process;
  }

  /** All processes do something at the same time. */
  async step(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.step()));
  }

  async finish(): Promise<void> {
    for (const process of this.#processes) await process.catchUp();
    const newest = await this.#join();
    // A message of a killed process may have arrived meanwhile.
    for (const process of this.#processes) await process.catchUp();
    const [first, ...others] = this.#processes.map((process) => process.view());
    for (const other of others) assert.deepEqual(other, first);
    await this.#verifyHistory(contentOf(newest.store));
  }

  /** A transaction with its own mark. */
  #nextTransaction(): SentTransaction {
    const { random, log } = this.#parts;
    const anyState = () => log.identity.name + below(random, log.last + 2).toString(36);
    const { preconditions, operations } = randomTransaction(random, anyState);
    const mark = this.#nextMark;
    const rows = [[mark, '<urn:p>', '"1"']] as const;
    const more = this.#bulk && chance(random, 0.15) ? [manyRows(random)] : [];
    const marked = [...operations, ...more, { kind: 'merge', graph: MARKS, rows } as const];
    return this.#send({ mark, transaction: { preconditions, operations: marked } });
  }

  /** A transaction of one operation, which has its own mark. */
  #nextBigWrite(): SentTransaction {
    const { random, log } = this.#parts;
    const anyState = () => log.identity.name + below(random, log.last + 2).toString(36);
    const { preconditions, operations } = randomTransaction(random, anyState);
    const mark = this.#nextMark;
    const added = this.#bulk && chance(random, 0.5) ? manyRows(random).rows : [];
    const operation = withRows(operations[0]!, [...added, [mark, '<urn:p>', '"1"']]);
    return this.#send({ mark, transaction: { preconditions, operations: [operation] } });
  }

  get #nextMark(): string {
    return `<urn:mark:${this.#sent.length}>`;
  }

  #send(sent: SentTransaction): SentTransaction {
    this.#sent.push(sent);
    return sent;
  }

  /** Every record is one transaction, once, with the result and the effects of the model. */
  async #verifyHistory(content: readonly string[]): Promise<void> {
    const { log, counts } = this.#parts;
    const byMark = new Map(this.#sent.map((sent) => [sent.mark, sent]));
    let model = new StoreModel();
    let time = 0;
    for (const { sequence, payload } of log.history) {
      const text = await textOf(payload);
      assert.ok(patchTime(payload)! >= time, `record ${sequence} is older than the one before`);
      time = patchTime(payload)!;
      if (/^H renumbered /m.test(text)) {
        counts.drops++;
        model = model.unchanged();
        continue;
      }
      const sent = byMark.get(/^A (<urn:mark:\d+>)/m.exec(text)![1]!);
      assert.ok(sent, `record ${sequence} has the mark of an earlier one`);
      byMark.delete(sent.mark);
      const stateOfCommit = (number: number) => stateOf(log.identity, number);
      const next = model.apply(sent.transaction, stateOfCommit, sent.prefix);
      assert.notEqual(sent.outcome, 'refused', `${sent.mark} was refused and is there`);
      if (sent.outcome) assert.deepEqual({ ...(sent.outcome as object) }, next.result);
      else counts.unacknowledged++;
      model = next.model;
      assert.equal(model.sequence, sequence);
    }
    for (const { mark, outcome } of byMark.values()) {
      assert.ok(outcome === undefined || outcome === 'refused', `${mark} is lost`);
    }
    assert.deepEqual(content, model.lines());
  }
}

/** A record as text, whatever the form of its rows. */
async function textOf(payload: Uint8Array): Promise<string> {
  const blocks = blocksOf(payload);
  if (!blocks) return Buffer.from(payload).toString();
  let text = headerText(payload);
  for await (const lines of linesOfBlocks(blocks)) text += Buffer.from(lines).toString();
  return text;
}
