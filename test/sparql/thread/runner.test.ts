import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { DescriptorSender } from '../../../src/snapshot/feed/descriptor-link.ts';
import type { SparqlBatch, SparqlOutput } from '../../../src/sparql/messages.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import { Runner } from '../../../src/sparql/thread/runner.ts';
import { ThreadStatus } from '../../../src/sparql/thread-status.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';
import { mirrorSettings } from '../engine/mirrors.ts';

const settings = {
  ...mirrorSettings,
  resultBytes: 100_000,
  defaultGraphIs: 'union',
  defaultGraph: 'http://base/context/default',
} as const;
const text = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
const COUNT = {
  kind: 'query',
  query: { text, baseIri: 'http://base/', dataset: undefined, mediaType: 'text/csv' },
} as const;

/** Returns a store with some triples, and SPARQL threads over it that run in this thread. */
async function threads() {
  const changeFeed = newChangeFeed({ rows: 64, commits: 8 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const add = (n: number) => commit(store, merge('urn:g', `<urn:s${n}> <urn:p> <urn:o> .`));
  await add(0);
  const start = () => {
    const status = new ThreadStatus();
    const runner = new Runner({ settings, status: status.buffer, changeFeed, lowPriority: false });
    const sender = new DescriptorSender();
    const again = (batch: Partial<SparqlBatch>) =>
      runner.run({ snapshot: undefined, jobs: [COUNT], image: undefined, ...batch });
    const once = (batch: Partial<SparqlBatch> = {}) => {
      status.reset('following');
      return again({ snapshot: sender.update(store.opened().snapshot), ...batch });
    };
    /**
     * Runs a batch. If the thread returns the jobs after filling the instance, sends them again, as
     * the pool does.
     */
    const run = (batch: Partial<SparqlBatch> = {}) => {
      const output = once(batch);
      if (output.results.length > 0 || batch.jobs?.length === 0) return output;
      const { image, ...rest } = again({ ...batch, snapshot: undefined, image: undefined });
      return { ...rest, image: output.image ?? image };
    };
    return { once, run, status };
  };
  return { start, add, store };
}

function bodiesOf({ results }: SparqlOutput): string[] {
  return results.map((result) =>
    result.ok && 'body' in result.value ? Buffer.from(result.value.body).toString().slice(3).trim() : 'none',
  );
}

test('a thread returns an image of its new instance once, and the next thread starts from the image', async () => {
  const { start, add, store } = await threads();
  const first = start();
  const { image, ...output } = first.run();
  assert.ok(image);
  assert.deepEqual(bodiesOf({ ...output, image }), ['1']);
  await add(1);
  const again = first.run();
  assert.deepEqual([bodiesOf(again), again.image], [['2'], undefined]);
  const second = start();
  const restored = second.run({ image });
  assert.deepEqual([bodiesOf(restored), restored.image], [['2'], undefined]);
  assert.equal(second.status.progress, 0);
  await store.close();
});

test('a thread returns its image before the jobs start, and returns the jobs only once', async () => {
  const { start, add, store } = await threads();
  const { once } = start();
  const filled = once();
  assert.ok(filled.image);
  assert.deepEqual(filled.results, []);
  for (let n = 1; n < 12; n++) await add(n);
  const again = once();
  assert.ok(again.image);
  assert.deepEqual(bodiesOf(again), ['12']);
  await store.close();
});

test('an unusable image is ignored, and the instance is filled', async () => {
  const { start, add, store } = await threads();
  const { image } = start().run();
  assert.ok(image);
  const damaged = { ...image, memory: { ...image.memory, store: 2 ** 30 } };
  const third = start();
  assert.deepEqual(bodiesOf(third.run({ image: damaged })), ['1']);
  assert.ok(third.status.progress > 0);
  for (let n = 1; n < 12; n++) await add(n);
  const fourth = start();
  assert.deepEqual(bodiesOf(fourth.run({ image })), ['12']);
  assert.ok(fourth.status.progress > 0);
  await store.close();
});

test('a thread that fell behind the change feed fills its instance again', async () => {
  const { start, add, store } = await threads();
  const { run } = start();
  run();
  for (let n = 1; n < 12; n++) await add(n);
  const output = run();
  assert.deepEqual(bodiesOf(output), ['12']);
  assert.ok(output.image);
  await store.close();
});

test('a thread that fell behind the change feed restores a newer image, if it has one', async () => {
  const { start, add, store } = await threads();
  const [first, second] = [start(), start()];
  for (const { run } of [first, second]) run();
  for (let n = 1; n < 12; n++) await add(n);
  const { image } = first.run();
  const output = second.run({ image });
  assert.deepEqual(bodiesOf(output), ['12']);
  assert.equal(second.status.progress, 0);
  await store.close();
});

test('a batch continues without a new snapshot, and ends after a query that took long', async () => {
  const { start, store } = await threads();
  const { run } = start();
  run({ jobs: [] });
  const together = run({ snapshot: undefined, jobs: [COUNT, COUNT] });
  assert.ok(together.results.length >= 1 && bodiesOf(together).every((body) => body === '1'));
  const rows = `VALUES ?v { ${'1 '.repeat(300)} } VALUES ?w { ${'1 '.repeat(300)} }`;
  const query = { ...COUNT.query, text: `SELECT (COUNT(*) AS ?n) { ${rows} }` };
  const long = run({ jobs: [{ kind: 'query', query }, COUNT] });
  assert.deepEqual(bodiesOf(long), ['90000']);
  await store.close();
});

test('a thread whose instance fails to follow a commit fills a new instance', async (t) => {
  const { start, add, store } = await threads();
  const { run, status } = start();
  run();
  await add(1);
  t.mock.method(Mirror.prototype, 'follow', () => {
    throw new RangeError('Invalid string length');
  });
  const output = run();
  assert.deepEqual([bodiesOf(output), output.isTooBig], [['2'], false]);
  assert.ok(output.image && status.progress > 0);
  await store.close();
});

test('a thread that cannot fill an instance reports why, and returns its jobs', async (t) => {
  const { start, store } = await threads();
  const { run } = start();
  const fill = t.mock.method(Mirror, 'fill', () => {
    throw new Error('No term.');
  });
  const { results, failure, isBloated, isTooBig } = run({ jobs: [COUNT, COUNT] });
  assert.deepEqual([results, failure, isBloated, isTooBig], [[], 'No term.', true, false]);
  fill.mock.restore();
  await store.close();
});
