import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import {
  ChangeFeedReader,
  ChangeFeedWriter,
  type FeedCommit,
  newChangeFeed,
} from '../../../src/snapshot/feed/change-feed.ts';
import { REMOVED } from '../../../src/snapshot/runs/order.ts';
import { below, chance, type Random } from '../../simulation/random-transactions.ts';
import { seededRandom } from '../../simulation/sim-disk.ts';
import { startThread } from '../../support/project.ts';
import { FeedState } from '../feed-state.ts';
import type { FollowerData, FollowerReport, ToFollower } from '../fixtures/following-thread.ts';

/** Small, so that it is overrun all the time; a commit may have 16 rows. */
const CAPACITY = { rows: 64, commits: 16 };
const MOST = 16;

const quad = (n: number) => [1, 2, 3, 4].map((i) => (4 * n + i) % REMOVED);

/** A commit of so many rows, which are told by their numbers. */
function commitOf(sequence: number, removals: number, additions: number): FeedCommit {
  const rows = (from: number, count: number) =>
    Uint32Array.from(Array.from({ length: count }, (_, i) => quad(100 * sequence + from + i)).flat());
  const header = { time: timeOf(sequence) };
  return { sequence, header, steps: [{ removals: rows(0, removals), additions: rows(removals, additions) }] };
}

/** More than 32 bits, as times of today. */
const timeOf = (sequence: number) => 1_760_000_000_000 + sequence;

/** What a reader must get of a commit. */
function rowsOf({ steps }: FeedCommit): number[] {
  return steps.flatMap(({ removals, additions }) => [
    ...Array.from(removals, (word, i) => (i % 4 === 3 ? word + REMOVED : word)),
    ...additions,
  ]);
}

test('a reader gets each commit unchanged, or learns that it is lost if and only if it is', () => {
  const size = fc.oneof({ weight: 8, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.nat(12) });
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.tuple(size, size) },
    { weight: 10, arbitrary: fc.constant('read' as const) },
    { weight: 1, arbitrary: fc.constantFrom('renumber' as const, 'reopen' as const) },
  );
  fc.assert(
    fc.property(fc.nat(2 ** 33), fc.array(step, { maxLength: 120, size: 'max' }), (first, steps) => {
      const buffer = newChangeFeed(CAPACITY);
      const writer = new ChangeFeedWriter(buffer, first);
      let reader = new ChangeFeedReader(buffer, first, 0);
      let generation = 0;
      let newest = first;
      /** Those that must still be there, the newest last. */
      let kept: FeedCommit[] = [];
      for (const given of steps) {
        if (given === 'renumber') {
          writer.renumber(++generation);
          kept = [];
          assert.equal(reader.next(), 'lost');
          reader = new ChangeFeedReader(buffer, newest, generation);
        } else if (given === 'reopen') {
          reader = new ChangeFeedReader(buffer, newest, generation);
        } else if (given !== 'read') {
          const commit = commitOf(++newest, ...given);
          writer.write([commit]);
          kept = rowsOf(commit).length > 4 * MOST ? [] : [...kept, commit];
          const rows = () => kept.reduce((sum, each) => sum + rowsOf(each).length / 4, 0);
          while (rows() > CAPACITY.rows || kept.length > CAPACITY.commits) kept.shift();
        } else {
          const wanted = reader.sequence + 1;
          const next = reader.next();
          const expected = kept.find(({ sequence }) => sequence === wanted);
          if (expected) assert.deepEqual(next instanceof Uint32Array && [...next], rowsOf(expected));
          if (expected) assert.equal(reader.time, timeOf(wanted));
          else assert.equal(next, wanted > newest ? undefined : 'lost');
          if (next === 'lost') reader = new ChangeFeedReader(buffer, newest, generation);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('no reader can follow past a gap in the sequence of commits', () => {
  const buffer = newChangeFeed(CAPACITY);
  const writer = new ChangeFeedWriter(buffer, 0);
  const reader = new ChangeFeedReader(buffer, 0, 0);
  writer.write([commitOf(1, 0, 1), commitOf(3, 0, 1)]);
  assert.equal(reader.next(), 'lost');
  const after = new ChangeFeedReader(buffer, 3, 0);
  writer.write([commitOf(4, 1, 0)]);
  assert.deepEqual([...(after.next() as Uint32Array)], rowsOf(commitOf(4, 1, 0)));
});

test('rows overwritten during a copy are never returned as rows of their commit', (context) => {
  const { load } = Atomics;
  for (let later = 0; later <= 20; later++) {
    const buffer = newChangeFeed(CAPACITY);
    const writer = new ChangeFeedWriter(buffer, 0);
    const reader = new ChangeFeedReader(buffer, 0, 0);
    writer.write([commitOf(1, 3, 5)]);
    let loads = 0;
    // The reader has looked at the newest, the oldest and the generation when it begins to copy.
    const mocked = context.mock.method(Atomics, 'load', (words: Uint32Array, at: number) => {
      const value = load(words, at);
      if (++loads === 3) for (let i = 2; i < 2 + later; i++) writer.write([commitOf(i, 3, 5)]);
      return value;
    });
    const next = reader.next();
    mocked.mock.restore();
    // Of 64 rows there are 8 in each commit.
    if (later < 8) assert.deepEqual(next instanceof Uint32Array && [...next], rowsOf(commitOf(1, 3, 5)));
    else assert.equal(next, 'lost');
  }
});

test('a row of another commit is noticed even with an outdated number of the oldest commit', () => {
  const rowWords = 4 * CAPACITY.rows;
  for (let word = 0; word < 4 * 8; word++) {
    const buffer = newChangeFeed(CAPACITY);
    new ChangeFeedWriter(buffer, 0).write([commitOf(1, 3, 5)]);
    const words = new Uint32Array(buffer);
    words[words.length - rowWords + word]! ^= 1;
    assert.equal(new ChangeFeedReader(buffer, 0, 0).next(), 'lost');
  }
});

/** The data set whose changes are fed: quads of few numbers. A renumbering moves all numbers. */
class Source {
  readonly writer: ChangeFeedWriter;
  /** The digest of the state after each commit. */
  readonly digests: number[] = [0];
  readonly #random: Random;
  #state = new FeedState();
  #generation = 0;

  constructor(buffer: SharedArrayBuffer, random: Random) {
    this.writer = new ChangeFeedWriter(buffer, 0);
    this.#random = random;
  }

  get sequence(): number {
    return this.digests.length - 1;
  }

  get start() {
    return { sequence: this.sequence, generation: this.#generation, rows: this.#state.rows() };
  }

  commit(): void {
    const random = this.#random;
    const isBig = chance(random, 0.003);
    const rows = isBig ? 257 + below(random, 100) : below(random, chance(random, 0.05) ? 250 : 6);
    const quads = Array.from({ length: rows }, () => this.#anyQuad());
    const distinct = [...new Map(quads.map((each) => [each.join(), each])).values()];
    const additions = distinct.filter((each) => !this.#state.has(...each));
    const removals = distinct.filter((each) => this.#state.has(...each));
    for (const each of removals) this.#state.remove(...each);
    for (const each of additions) this.#state.add(...each);
    const step = {
      additions: Uint32Array.from(additions.flat()),
      removals: Uint32Array.from(removals.flat()),
    };
    this.digests.push(this.#state.digest);
    const header = { time: timeOf(this.sequence) };
    this.writer.write([{ sequence: this.sequence, header, steps: [step] }]);
  }

  /** The digest of the last state in the numbers of now. */
  get digest(): number {
    return this.#state.digest;
  }

  /** All ids grow by one, as if a term before them had been dropped or added. */
  renumber(): void {
    this.#state = new FeedState(this.#state.rows().map((row) => row.map((id) => id + 1)));
    this.#generation++;
    this.writer.renumber(this.#generation);
  }

  #anyQuad(): [number, number, number, number] {
    const one = (limit: number) => 1 + this.#generation + below(this.#random, limit);
    return [one(20), one(3), one(20), one(2)];
  }
}

test('readers in other threads build the exact state of each commit at any pace', async () => {
  const buffer = newChangeFeed({ rows: 1024, commits: 256 });
  const random = seededRandom(16);
  const source = new Source(buffer, random);
  const progress = [1, 2, 3].map(() => new Int32Array(new SharedArrayBuffer(8)));
  const followers = progress.map((words, seed) => startFollower({ buffer, progress: words, seed }));
  const isEnough = ([read = 0, lost = 0]: Int32Array) => read >= 500 && lost >= 10;
  const send = (worker: Worker, message: ToFollower) => worker.postMessage(message);
  const reports: FollowerReport[] = [];
  for (const follower of followers) {
    follower.on('message', (message: 'start' | FollowerReport) => {
      if (message === 'start') send(follower, { start: source.start });
      else reports.push(message);
    });
  }
  await Promise.all(followers.map((follower) => once(follower, 'message')));
  const ended = Promise.all(followers.map((follower) => once(follower, 'exit')));
  for (let pace = 0; source.sequence < 10_000 || !progress.every(isEnough); ) {
    assert.ok(source.sequence < 2_000_000, `Too little was read, or lost: ${progress.join(' ')}`);
    // From a row of hundreds at once to one a turn.
    if (source.sequence % 100 === 0) pace = random();
    source.commit();
    if (chance(random, 0.001)) source.renumber();
    if (chance(random, pace)) await nextTurn();
  }
  for (const follower of followers) send(follower, { end: source.sequence });
  await ended;
  assert.equal(reports.length, followers.length);
  for (const { states, last, idleRows } of reports) {
    assert.equal(idleRows, 0);
    const wrong = states.filter(([sequence, digest]) => source.digests[sequence] !== digest);
    assert.deepEqual(wrong, []);
    assert.equal(last, source.digest);
  }
});

function startFollower(workerData: FollowerData): Worker {
  return startThread('test/snapshot/fixtures/following-thread', { workerData });
}
