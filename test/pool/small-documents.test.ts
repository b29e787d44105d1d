import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/base/caller.ts';
import type { Result } from '../../src/errors.ts';
import type { QuadBlock } from '../../src/rdf/model/quad-block.ts';
import { fakeCaller } from '../support/callers.ts';
import { type FakePool, fakePool, importInfo, parseRequest } from './fixtures/fake-pool.ts';

const strict = { parseMs: 100, graceMs: 50 };

function read({ pool }: FakePool, command: string, onAbort?: Caller['onAbort']): Promise<Result<QuadBlock>> {
  return pool.parse({ ...parseRequest(command), gzip: false }, importInfo, fakeCaller(onAbort));
}

/** Resolves with the parsed text, or with the code of an error. */
async function textOf(promise: Promise<Result<QuadBlock>>): Promise<string> {
  const result = await promise;
  return result.ok ? new TextDecoder().decode(result.value.termBytes) : result.error.code;
}

/** Parses documents that accumulate while the only thread is busy, and so are sent together. */
async function readTogether(fake: FakePool, commands: readonly string[]): Promise<string[]> {
  const gate = fake.gates.add();
  const holding = read(fake, `hold ${gate}`);
  await fake.gates.entered(gate);
  const texts = commands.map((command) => textOf(read(fake, command)));
  fake.gates.open(gate);
  assert.ok((await holding).ok);
  return Promise.all(texts);
}

function readingRuns({ pool }: FakePool): number {
  return pool.statistics().parse.runningTimes.count;
}

test('a small document is parsed while a heavy job has the only thread for heavy jobs', async (t) => {
  const fake = fakePool(t, 2);
  const gate = fake.gates.add();
  const heavy = fake.pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await fake.gates.entered(gate);
  assert.equal(await textOf(read(fake, 'echo')), 'echo');
  fake.gates.open(gate);
  assert.ok((await heavy).ok);
});

test('a slow small document becomes a heavy job, and leaves the last thread to others', async (t) => {
  const fake = fakePool(t, 2);
  const gate = fake.gates.add();
  const heavy = fake.pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await fake.gates.entered(gate);
  let ended = 0;
  const lengthy = Array.from({ length: 20 }, () =>
    textOf(read(fake, 'lengthy')).finally(() => {
      ended++;
    }),
  );
  for (let i = 0; i < 20; i++) assert.equal(await textOf(read(fake, `echo ${i}`)), `echo ${i}`);
  assert.equal(ended, 0);
  assert.equal(fake.pool.statistics().parse.waiting, 20);
  fake.gates.open(gate);
  assert.deepEqual(new Set(await Promise.all(lengthy)), new Set(['lengthy']));
  assert.ok((await heavy).ok);
});

test('a slow small document remains one task with one name', async (t) => {
  const fake = fakePool(t, 2);
  const gate = fake.gates.add();
  const heavy = fake.pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await fake.gates.entered(gate);
  const running = fake.gates.add();
  const holding = read(fake, `hold ${running}`);
  await fake.gates.entered(running);
  const lengthy = textOf(read(fake, 'lengthy'));
  const names = () => fake.pool.tasks(true).map(({ name }) => name);
  const before = names().at(-1);
  fake.gates.open(running);
  await holding;
  assert.equal(await textOf(read(fake, 'echo')), 'echo');
  assert.deepEqual(names().slice(1), [before]);
  fake.gates.open(gate);
  assert.equal(await lengthy, 'lengthy');
  await heavy;
});

test('waiting small documents are sent to a thread together, sixteen at most, and each gets its own result', async (t) => {
  const fake = fakePool(t, 1);
  const commands = Array.from({ length: 100 }, (_, i) => `echo ${i}`);
  assert.deepEqual(await readTogether(fake, commands), commands);
  // A thread that waits for a processor returns documents to the queue, which adds runs.
  assert.ok(readingRuns(fake) >= 1 + Math.ceil(100 / 16));
  assert.ok(readingRuns(fake) < 50);
});

test('small documents of more than 64 KiB in total are not sent together', async (t) => {
  const fake = fakePool(t, 1);
  const commands = Array.from({ length: 3 }, (_, i) => `echo ${i} `.padEnd(30 * 1024));
  assert.deepEqual(await readTogether(fake, commands), commands);
  assert.ok(readingRuns(fake) >= 3);
});

test('an error of one document does not affect the documents that were sent with it', async (t) => {
  const fake = fakePool(t, 1);
  assert.deepEqual(await readTogether(fake, ['echo a', 'throw', 'echo b']), [
    'echo a',
    'bad-arguments',
    'echo b',
  ]);
});

test('cancelling a running or waiting document does not affect the documents that were sent with it', async (t) => {
  const fake = fakePool(t, 2);
  const [first, second] = [fake.gates.add(), fake.gates.add()];
  const [running, waiting] = [new AbortController(), new AbortController()];
  const holding = [first, second].map((gate) => textOf(read(fake, `hold ${gate}`)));
  await fake.gates.entered(first);
  await fake.gates.entered(second);
  const begun = fake.gates.add();
  const texts = [
    textOf(read(fake, 'echo a')),
    textOf(read(fake, `wait ${begun}`, (stop) => running.signal.addEventListener('abort', stop))),
    textOf(read(fake, 'echo b', (stop) => waiting.signal.addEventListener('abort', stop))),
    textOf(read(fake, 'echo c')),
  ];
  fake.gates.open(first);
  await fake.gates.entered(begun);
  waiting.abort();
  running.abort();
  assert.deepEqual(await Promise.all(texts), ['echo a', 'cancelled', 'cancelled', 'echo c']);
  fake.gates.open(second);
  await Promise.all(holding);
});

test('a document that never ends is terminated at its deadline, and the others are parsed', async (t) => {
  const fake = fakePool(t, 1, strict);
  assert.deepEqual(await readTogether(fake, ['echo a', 'hang', 'echo b']), [
    'echo a',
    'time-limit',
    'echo b',
  ]);
});

test('a document that exhausts the memory of a thread is rejected alone', async (t) => {
  const fake = fakePool(t, 1, { heapMegabytes: 32 });
  const texts = await readTogether(fake, ['echo a', 'eat', 'echo b']);
  assert.deepEqual(texts, ['echo a', 'budget-exceeded', 'echo b']);
});

test('a document that ends its thread fails alone', async (t) => {
  const fake = fakePool(t, 1);
  assert.deepEqual(await readTogether(fake, ['echo a', 'exit', 'echo b']), ['echo a', 'internal', 'echo b']);
});

test('tasks distinguish the document that is being parsed from those that wait', async (t) => {
  const fake = fakePool(t, 1);
  const gate = fake.gates.add();
  const firstGate = fake.gates.add();
  const first = read(fake, `hold ${firstGate}`);
  await fake.gates.entered(firstGate);
  const others = [`hold ${gate}`, 'echo'].map((command) => textOf(read(fake, command)));
  fake.gates.open(firstGate);
  await fake.gates.entered(gate);
  const tasks = fake.pool.tasks(true).map(({ group, state }) => `${group} ${state}`);
  assert.deepEqual(tasks, ['Importer running', 'Importer queued']);
  assert.equal(fake.pool.tasks(false).length, 1);
  fake.gates.open(gate);
  assert.deepEqual(await Promise.all(others), [`hold ${gate}`, 'echo']);
  assert.ok((await first).ok);
});

test('closing completes all documents that were sent together', async (t) => {
  const fake = fakePool(t, 1);
  const gate = fake.gates.add();
  const firstGate = fake.gates.add();
  const first = textOf(read(fake, `hold ${firstGate}`));
  await fake.gates.entered(firstGate);
  const others = ['echo', `hold ${gate}`, 'echo'].map((command) => textOf(read(fake, command)));
  fake.gates.open(firstGate);
  await first;
  await fake.gates.entered(gate);
  await fake.pool.close(0);
  assert.deepEqual(await Promise.all(others), ['shutting-down', 'shutting-down', 'shutting-down']);
});
