import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { errorData } from '../../../src/errors.ts';
import type { Batch, BatchRequest } from '../../../src/pool/batch/batch.ts';
import {
  type ReadStarts,
  StartSetPages,
  type StartSetRequest,
} from '../../../src/pool/batch/start-set-pages.ts';
import type { StartsOutput } from '../../../src/pool/messages.ts';
import type { Pool } from '../../../src/pool/pool.ts';
import { TextStarts } from '../../../src/services/ldpath/text-starts.ts';
import { evaluation, fakePool, proveFast, resultOf } from '../fixtures/fake-pool.ts';

function batchOf(pool: Pool, starts: readonly string[], more: Partial<BatchRequest> = {}): Batch {
  const selection = { mode: 'path', source: 'start' } as const;
  const result = pool.batch({
    selection,
    starts: new TextStarts(starts),
    lenient: false,
    known: () => false,
    ordered: false,
    ...more,
  });
  assert.ok(result.ok);
  return result.value;
}

interface Line {
  readonly uri: string;
  readonly alone?: boolean;
  readonly code?: string;
}

async function linesOf(batch: Batch): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const { bytes, errors, count } of batch) {
    const answered = Buffer.from(bytes).toString().split('\n').filter(Boolean);
    assert.equal(answered.length + errors.length, count);
    lines.push(...answered.map((line) => JSON.parse(line) as Line));
    lines.push(...errors.map(({ uri, error }) => ({ uri, code: error.code })));
  }
  return lines;
}

test('every start resource gets exactly one line, with a result or an error', async (t) => {
  const { pool } = fakePool(t, 3);
  const starts = Array.from({ length: 3000 }, (_, i) => (i % 10 === 3 ? `throw ${i}` : `echo ${i}`));
  const batch = batchOf(pool, starts);
  const lines = await linesOf(batch);
  assert.deepEqual(lines.map(({ uri }) => uri).sort(), starts.toSorted());
  assert.ok(lines.every(({ uri, code }) => code === (uri.startsWith('throw') ? 'bad-arguments' : undefined)));
  assert.deepEqual([batch.delivered, batch.errors, batch.cancelled], [3000, 300, false]);
  assert.deepEqual(pool.tasks(true), []);
});

test('on request, lines have the order of the start resources', async (t) => {
  const { pool } = fakePool(t, 4);
  const starts = Array.from({ length: 5000 }, (_, i) => (i % 700 === 5 ? `slow ${i}` : `echo ${i}`));
  const lines = await linesOf(batchOf(pool, starts, { ordered: true }));
  assert.deepEqual(
    lines.map(({ uri }) => uri),
    starts,
  );
});

test('a slow start resource is evaluated by itself, and does not delay later ones', async (t) => {
  const { pool } = fakePool(t, 2);
  const lines = await linesOf(batchOf(pool, ['echo 1', 'slow 1', 'echo 2'], { ordered: true }));
  assert.deepEqual(lines, [{ uri: 'echo 1' }, { uri: 'slow 1', alone: true }, { uri: 'echo 2' }]);
});

test('a start resource that ends its thread does not affect the others', async (t) => {
  const { pool } = fakePool(t, 2, { evaluationMs: 50, graceMs: 50 });
  const lines = await linesOf(
    batchOf(pool, ['echo 1', 'exit', 'echo 2', 'hang', 'echo 3'], { ordered: true }),
  );
  assert.deepEqual(
    lines.map(({ uri, code }) => [uri, code]),
    [
      ['echo 1', undefined],
      ['exit', 'internal'],
      ['echo 2', undefined],
      ['hang', 'time-limit'],
      ['echo 3', undefined],
    ],
  );
});

test('a batch leaves one thread to single evaluations', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool, evaluation('echo'));
  const gate = gates.add();
  const batch = batchOf(
    pool,
    Array.from({ length: 64 }, () => `hold ${gate}`),
  );
  const lines = linesOf(batch);
  await gates.entered(gate);
  const other = linesOf(batchOf(pool, ['echo']));
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  gates.open(gate);
  assert.equal((await lines).length, 64);
  assert.equal((await other).length, 1);
});

/** Many start resources for one command. The first batch of a selection measures their time. */
const many = (command: string) => Array.from({ length: 1_000 }, () => command);

test('fast start resources get all threads while no other job waits (P-23)', async (t) => {
  const { pool, gates } = fakePool(t, 3);
  await linesOf(batchOf(pool, many('echo')));
  const gate = gates.add();
  const lines = linesOf(batchOf(pool, many(`hold ${gate}`)));
  await gates.entered(gate, 3);
  gates.open(gate);
  assert.equal((await lines).length, 1_000);
});

test('a borrowed thread is preempted when an evaluation arrives, and the rest is evaluated later', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool, evaluation('echo'));
  await linesOf(batchOf(pool, many('echo')));
  const gate = gates.add();
  const lines = linesOf(batchOf(pool, many(`stay ${gate}`), { ordered: true }));
  await gates.entered(gate, 2);
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  gates.open(gate);
  assert.equal((await lines).length, 1_000);
});

test('a borrowed thread that ignores preemption is terminated, and its start resources are evaluated one by one', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool, evaluation('echo'));
  await linesOf(batchOf(pool, many('echo')));
  const gate = gates.add();
  const lines = linesOf(batchOf(pool, many(`hold ${gate}`)));
  await gates.entered(gate, 2);
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  gates.open(gate);
  const found = await lines;
  assert.equal(found.length, 1_000);
  assert.ok(found.every(({ code }) => code === undefined));
  assert.ok(found.some(({ alone }) => alone));
});

test('start resources that are evaluated by themselves never occupy all threads', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool, evaluation('echo'));
  await linesOf(batchOf(pool, many('echo')));
  const gate = gates.add();
  const lines = linesOf(batchOf(pool, many(`alone ${gate}`)));
  await gates.entered(gate);
  for (let i = 0; i < 20; i++) assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  assert.equal(gates.count(gate), 1);
  gates.open(gate);
  assert.equal((await lines).length, 1_000);
});

test('evaluation pauses while the client does not read the lines', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  gates.open(gate);
  const starts = Array.from({ length: 10_000 }, () => `hold ${gate}`);
  const batch = batchOf(pool, starts);
  const parts = batch[Symbol.asyncIterator]();
  const first = await parts.next();
  const taken = first.value!.count;
  await gates.entered(gate, taken + 1);
  // Each producer stops once its next part waits for the reader; then nothing runs or is queued.
  const working = () => pool.statistics().ldpath.running + pool.statistics().ldpath.waiting;
  while (working() > 0) await turn();
  const made = gates.count(gate);
  assert.ok(made < starts.length, `${made} were made`);
  await parts.return(undefined);
  assert.equal(gates.count(gate), made);
  assert.deepEqual(pool.tasks(true), []);
});

test('a batch is one task with its progress, and can be cancelled by name', async (t) => {
  const { pool, gates } = fakePool(t, 2, { graceMs: 60_000 });
  const gate = gates.add();
  const batch = batchOf(pool, [...Array.from({ length: 512 }, () => 'echo'), `wait ${gate}`, 'echo'], {
    ordered: true,
  });
  const lines = linesOf(batch);
  await gates.entered(gate);
  const [task, ...others] = pool.tasks(true);
  assert.deepEqual(others, []);
  assert.match(task!.name, /^batch \d+$/);
  assert.deepEqual(
    [task!.group, task!.thread, task!.state, task!.progress, task!.totalSteps],
    ['LDPath', 'main', 'running', 512, 514],
  );
  assert.deepEqual(task!.detailMessages, { path: 'start', errors: '0' });
  assert.equal(pool.cancelTask('LDPath', 'batch 0'), false);
  assert.equal(pool.cancelTask('LDPath', task!.name), true);
  assert.equal((await lines).length, 512);
  assert.deepEqual([batch.cancelled, batch.delivered], [true, 512]);
  assert.deepEqual(pool.tasks(true), []);
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('memory that a thread allocated for a cancelled job is reused for the next job', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const left = batchOf(pool, [`hold ${gate}`]);
  const lines = linesOf(left);
  await gates.entered(gate);
  left.cancel();
  gates.open(gate);
  assert.deepEqual(await lines, []);
  assert.deepEqual(await linesOf(batchOf(pool, ['echo'])), [{ uri: 'echo' }]);
});

test('a batch is aborted when its client reads nothing for a long time', async (t) => {
  const { pool } = fakePool(t, 1, { stallMs: 1 });
  const batch = batchOf(pool, ['echo', 'slow']);
  const parts = batch[Symbol.asyncIterator]();
  await parts.next();
  while (pool.tasks(false).length > 0) await turn();
  await assert.rejects(parts.next(), { code: 'cancelled' });
});

test('too many concurrent batches are rejected', async (t) => {
  const { pool } = fakePool(t, 1, { batches: 1 });
  const first = batchOf(pool, ['echo']);
  const selection = { mode: 'path', source: 'start' } as const;
  const second = pool.batch({
    selection,
    starts: new TextStarts(['echo']),
    lenient: false,
    known: () => false,
    ordered: false,
  });
  assert.equal(!second.ok && second.error.code, 'overloaded');
  first.cancel();
  assert.equal((await linesOf(batchOf(pool, ['echo']))).length, 1);
});

test('a full queue does not affect admitted batches', async (t) => {
  const depths = { ldpath: 1, parse: 1, serialize: 1, maintenance: 1 };
  const { pool, gates } = fakePool(t, 1, { depths });
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = pool.evaluate(evaluation('echo'));
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'overloaded');
  const lines = linesOf(batchOf(pool, ['echo', 'slow', 'echo']));
  gates.open(gate);
  await Promise.all([holding, waiting]);
  assert.deepEqual(
    (await lines).map(({ code }) => code),
    [undefined, undefined, undefined],
  );
});

test('a page of a set that is read again can be cancelled', async (t) => {
  const { pool } = fakePool(t, 2);
  let attempts = 0;
  let cancelled = () => {};
  const wasCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const read: ReadStarts = (_job, caller) => {
    attempts++;
    if (attempts === 1) return Promise.resolve({ ok: true, value: noMembers });
    if (attempts === 2) return Promise.resolve({ ok: false, error: errorData('internal', 'As asked.') });
    return new Promise((resolve) =>
      caller?.onAbort(() => {
        cancelled();
        resolve({ ok: false, error: errorData('cancelled', 'As asked.') });
      }),
    );
  };
  const request: StartSetRequest = { set: { kind: 'subjects' }, namespaces: {}, after: null, limit: 10 };
  const pages = await StartSetPages.open(request, read, undefined);
  assert.ok(pages.ok);
  const batch = batchOf(pool, [], { starts: pages.value });
  const lines = linesOf(batch);
  while (attempts < 3) await turn();
  batch.cancel();
  await wasCancelled;
  assert.deepEqual(await lines, []);
});

const noMembers: StartsOutput = {
  starts: { bytes: new Uint8Array(0), bounds: new Uint32Array(0) },
  ids: new Uint32Array(0),
  after: { generation: 0, id: 1 },
  isLast: false,
  total: null,
  selected: null,
};

test('lines that clients do not take have a limit, and all come in the end', async (t) => {
  const { pool } = fakePool(t, 3, { bufferedBytes: 1_000_000 });
  const starts = Array.from({ length: 30 }, (_, i) => `echo ${i} ${'x'.repeat(150_000)}`);
  for (const ordered of [true, false]) {
    const batches = Array.from({ length: 6 }, () => batchOf(pool, starts, { ordered }));
    const taken = await Promise.all(batches.map(linesOf));
    for (const lines of taken) {
      const uris = lines.map(({ uri }) => uri);
      assert.deepEqual(ordered ? uris : uris.sort(), ordered ? starts : starts.toSorted());
    }
  }
});

test('batches whose clients take nothing evaluate no more than there is room for', async (t) => {
  const { pool } = fakePool(t, 3, { bufferedBytes: 1_000_000 });
  const starts = Array.from({ length: 30 }, (_, i) => `echo ${i} ${'x'.repeat(150_000)}`);
  const iterations = Array.from({ length: 6 }, () => batchOf(pool, starts)[Symbol.asyncIterator]());
  const first = iterations.map((iteration) => iteration.next());
  // Its clients have no part as long as others hold all room.
  let without = iterations.length;
  for (const part of first) void part.then(() => without--);
  await Promise.race(first);
  for (let i = 0; i < 100; i++) await turn();
  assert.ok(without > 0 && without < iterations.length, String(without));
  const end = async (iteration: AsyncIterator<unknown>, i: number) => {
    await first[i];
    await iteration.return?.();
  };
  await Promise.all(iterations.map(end));
});
