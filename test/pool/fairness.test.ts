import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Caller } from '../../src/base/caller.ts';
import type { Pool } from '../../src/pool/pool.ts';
import type { PoolSettings } from '../../src/pool/settings.ts';
import { defaultPoolSettings } from '../../src/pool/settings.ts';
import { TextStarts } from '../../src/services/ldpath/text-starts.ts';
import { fakeCaller } from '../support/callers.ts';
import {
  evaluation,
  type FakePool,
  fakePool,
  fast,
  importInfo,
  parseRequest,
  proveFast,
  resultOf,
} from './fixtures/fake-pool.ts';

const GOOD = '192.0.2.1';
const BAD = '192.0.2.2';
/** Longer than any test takes. */
const LONG = 600_000;

/** Evaluates a program as a client. */
function ask(pool: Pool, client: string, source: string): Promise<string> {
  return resultOf(pool.evaluate(evaluation(source), fakeCaller(undefined, client)));
}

/** Evaluates a command as a client, by a program that has proved fast. */
function askFast(pool: Pool, client: string, command: string): Promise<string> {
  return resultOf(pool.evaluate(fast(command), fakeCaller(undefined, client)));
}

/** Returns a pool in which the programs of `askFast` and `echo` have proved fast. */
async function knowing(
  t: TestContext,
  threads: number,
  settings: Partial<PoolSettings> = {},
): Promise<FakePool> {
  const fake = fakePool(t, threads, { evaluationMs: LONG, ...settings });
  await proveFast(fake.pool);
  await proveFast(fake.pool, evaluation('echo'));
  return fake;
}

async function lineCodes(pool: Pool, client: string, starts: readonly string[]): Promise<string[]> {
  const batch = pool.batch({
    caller: fakeCaller(undefined, client),
    selection: { mode: 'path', source: 'start' },
    starts: new TextStarts(starts),
    lenient: false,
    known: () => false,
    ordered: true,
  });
  if (!batch.ok) return [batch.error.code];
  const codes: string[] = [];
  for await (const { bytes, errors } of batch.value) {
    codes.push(
      ...Buffer.from(bytes)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map(() => 'result'),
    );
    codes.push(...errors.map(({ error }) => error.code));
  }
  return codes;
}

for (const [name, client] of [
  ['another client', GOOD],
  ['the same client', BAD],
] as const) {
  test(`distinct programs that never end leave a thread to programs that ${name} has proved fast`, async (t) => {
    const { pool, gates } = await knowing(t, 2, { penaltyMs: LONG });
    const gate = gates.add();
    const runaways = Array.from({ length: 64 }, (_, i) => ask(pool, BAD, `enter-hang ${gate} ${i}`));
    await gates.entered(gate);
    for (let i = 0; i < 200; i++) assert.equal(await ask(pool, client, 'echo'), 'echo');
    assert.equal(gates.count(gate), 1);
    await pool.close(0);
    assert.ok((await Promise.all(runaways)).every((code) => code === 'shutting-down'));
  });
}

test('new programs get all threads except one, regardless of their number', async (t) => {
  const { pool, gates } = await knowing(t, 4, { penaltyMs: LONG });
  const gate = gates.add();
  const runs = Array.from({ length: 20 }, (_, i) => ask(pool, BAD, `hold ${gate} ${i}`));
  await gates.entered(gate, 3);
  for (let i = 0; i < 50; i++) assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  assert.equal(gates.count(gate), 3);
  await pool.close(0);
  await Promise.all(runs);
});

test('a program that has proved fast may use all threads', async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const holds = [1, 2].map(() => askFast(pool, BAD, `hold ${gate}`));
  await gates.entered(gate, 2);
  gates.open(gate);
  await Promise.all(holds);
});

test('compiling a program does not prove that it is fast', async (t) => {
  const { pool, gates } = await knowing(t, 2, { penaltyMs: LONG });
  const gate = gates.add();
  const program = `hold ${gate}`;
  gates.open(gate);
  for (let i = 0; i < 3; i++) await pool.evaluate({ ...evaluation(program), resultKind: 'warnings' });
  gates.close(gate);
  const before = gates.count(gate);
  const holds = [1, 2].map(() => ask(pool, BAD, program));
  await gates.entered(gate, before + 1);
  for (let i = 0; i < 50; i++) assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  assert.equal(gates.count(gate), before + 1);
  await pool.close(0);
  await Promise.all(holds);
});

test('P-32: a new program of one client does not wait for all programs of another', async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const holding = ask(pool, BAD, `hold ${gate}`);
  await gates.entered(gate);
  const order: string[] = [];
  const noted = async (client: string, source: string) => order.push(await ask(pool, client, source));
  const many = Array.from({ length: 100 }, (_, i) => noted(BAD, `work 3 ${i}`));
  const one = noted(GOOD, 'echo new');
  gates.open(gate);
  await Promise.all([holding, ...many, one]);
  assert.ok(order.indexOf('echo new') <= 2, order.slice(0, 5).join());
});

test('a new program does not wait for a slow one of another client or of the same client', async (t) => {
  for (const client of [GOOD, BAD]) {
    const { pool, gates } = await knowing(t, 2);
    const gate = gates.add();
    const long = ask(pool, BAD, `wait ${gate}`);
    await gates.entered(gate);
    assert.equal(await ask(pool, client, 'echo new'), 'echo new');
    gates.open(gate);
    assert.equal(await long, `wait ${gate}`);
  }
});

test('a new program of one client does not wait for an uninterruptible program of another', async (t) => {
  const { pool, gates } = await knowing(t, 2, { graceMs: 50, penaltyMs: LONG });
  const gate = gates.add();
  const hanging = ask(pool, BAD, `enter-hang ${gate}`);
  await gates.entered(gate);
  assert.equal(await ask(pool, GOOD, 'echo new'), 'echo new');
  await pool.close(0);
  assert.equal(await hanging, 'shutting-down');
});

test('the wait of new programs for endless programs of another client does not grow', {
  timeout: 300_000,
}, async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const endless = Array.from({ length: 4 }, (_, i) => ask(pool, BAD, `wait ${gate} ${i}`));
  // If each preemption lengthened the time slice, these evaluations would take an hour.
  for (let i = 0; i < 40; i++) {
    await gates.entered(gate, i + 1);
    assert.equal(await ask(pool, GOOD, `echo ${i}`), `echo ${i}`);
  }
  gates.open(gate);
  assert.equal((await Promise.all(endless)).length, 4);
});

test('slow programs of two clients take turns with equal time slices', {
  timeout: 240_000,
}, async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const [bad, good] = [gates.add(), gates.add()];
  const endless = ask(pool, BAD, `wait ${bad}`);
  // The program is preempted repeatedly, for programs of the same client.
  for (let i = 0; i < 4; i++) {
    await gates.entered(bad, i + 1);
    await ask(pool, BAD, `echo ${i}`);
  }
  await gates.entered(bad, 5);
  const slow = ask(pool, GOOD, `wait ${good}`);
  // If the slices of the first program grew further, fourfold each time, this would take 5 minutes.
  await gates.entered(good, 4);
  gates.open(good);
  assert.equal(await slow, `wait ${good}`);
  gates.open(bad);
  await endless;
});

test('new programs of a client wait for a penalty after a program of that client ended a thread', async (t) => {
  const { pool } = await knowing(t, 2, { penaltyMs: LONG });
  assert.equal(await ask(pool, BAD, 'exit'), 'internal');
  const waiting = Array.from({ length: 10 }, (_, i) => ask(pool, BAD, `exit ${i}`));
  for (let i = 0; i < 50; i++) {
    assert.equal(await ask(pool, GOOD, `echo ${i}`), `echo ${i}`);
    assert.equal(await ask(pool, BAD, 'echo'), 'echo');
  }
  assert.equal(pool.statistics().ldpath.waiting, 10);
  await pool.close(0);
  assert.ok((await Promise.all(waiting)).every((code) => code === 'shutting-down'));
});

test('a new program does not wait for every evaluation of a hanging program to be terminated', async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const hanging = Array.from({ length: 20 }, () => resultOf(pool.evaluate(evaluation(`enter-hang ${gate}`))));
  assert.equal(await resultOf(pool.evaluate(evaluation('echo new'))), 'echo new');
  assert.ok(gates.count(gate) < 10, `${gates.count(gate)} threads had it`);
  await pool.close(0);
  assert.ok((await Promise.all(hanging)).every((code) => code === 'shutting-down'));
});

test('programs of a penalised client run after the penalty, even if the pool is idle', async (t) => {
  const { pool } = await knowing(t, 2, { penaltyMs: 20 });
  assert.equal(await ask(pool, BAD, 'exit'), 'internal');
  assert.equal(await ask(pool, BAD, 'echo new'), 'echo new');
});

test('a client that blocks a thread with a fast program loses the privilege for all of its programs', async (t) => {
  const { pool, gates } = await knowing(t, 2, { penaltyMs: LONG });
  const gate = gates.add();
  const hanging = [1, 2].map(() => askFast(pool, BAD, `enter-hang ${gate}`));
  await gates.entered(gate, 2);
  assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  const waiting = ask(pool, BAD, 'echo');
  for (let i = 0; i < 20; i++) assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  assert.equal(pool.statistics().ldpath.waiting, 2);
  await pool.close(0);
  assert.ok((await Promise.all([...hanging, waiting])).every((code) => code === 'shutting-down'));
});

test('a client that disconnects from a hanging program is still penalised', {
  timeout: 300_000,
}, async (t) => {
  let noteKill = () => {};
  const killed = new Promise<void>((resolve) => {
    noteKill = resolve;
  });
  const settings = { evaluationMs: LONG, penaltyMs: LONG, graceMs: 20 };
  const fake = fakePool(t, 2, settings, { onKill: () => noteKill() });
  await proveFast(fake.pool);
  await proveFast(fake.pool, evaluation('echo'));
  const gate = fake.gates.add();
  let [asked, over] = [false, false];
  let disconnect = () => {};
  const caller: Caller = {
    ...fakeCaller((listener) => {
      disconnect = listener;
    }),
    get remoteAddress() {
      asked = true;
      return over ? '' : BAD;
    },
  };
  const hanging = resultOf(fake.pool.evaluate(fast(`enter-hang ${gate}`), caller));
  await fake.gates.entered(gate);
  while (!asked) await new Promise((resolve) => setImmediate(resolve));
  over = true;
  disconnect();
  assert.equal(await hanging, 'cancelled');
  await killed;
  const waiting = ask(fake.pool, BAD, 'echo');
  for (let i = 0; i < 20; i++) assert.equal(await ask(fake.pool, GOOD, 'echo'), 'echo');
  assert.equal(fake.pool.statistics().ldpath.waiting, 1);
  await fake.pool.close(0);
  assert.equal(await waiting, 'shutting-down');
});

test('a program that quickly returns an error counts as fast', async (t) => {
  const { pool, gates } = await knowing(t, 2, { penaltyMs: LONG });
  const missing = 'fail resource-not-found';
  for (let i = 0; i < 3; i++) assert.equal(await ask(pool, GOOD, missing), 'resource-not-found');
  const gate = gates.add();
  const holding = ask(pool, BAD, `hold ${gate}`);
  await gates.entered(gate);
  assert.equal(await ask(pool, GOOD, missing), 'resource-not-found');
  gates.open(gate);
  await holding;
});

test('a program is rejected if its own queue is full', async (t) => {
  const depths = { ...defaultPoolSettings.depths, ldpath: 4 };
  const { pool, gates } = await knowing(t, 2, { depths, penaltyMs: LONG });
  const gate = gates.add();
  const holding = [ask(pool, BAD, `hold ${gate}`)];
  await gates.entered(gate);
  holding.push(...Array.from({ length: 4 }, (_, i) => ask(pool, BAD, `hold ${gate} ${i}`)));
  const caller = fakeCaller(undefined, BAD);
  assert.equal(pool.rejection(evaluation('echo'), caller), null);
  assert.equal(pool.rejection(evaluation('echo new'), caller)?.code, 'overloaded');
  assert.equal(pool.statistics().ldpath.rejected, 1);
  gates.open(gate);
  await Promise.all(holding);
});

test('threads that a batch ends are charged only to its client', async (t) => {
  const { pool } = await knowing(t, 2, { penaltyMs: 20 });
  const codes = await lineCodes(pool, BAD, ['echo 1', 'exit', 'echo 2']);
  assert.deepEqual(codes, ['result', 'internal', 'result']);
  assert.deepEqual(await lineCodes(pool, GOOD, ['echo 1', 'echo 2']), ['result', 'result']);
});

test('a batch of one client does not wait for a slow program of another', async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const long = ask(pool, BAD, `wait ${gate}`);
  await gates.entered(gate);
  assert.deepEqual(await lineCodes(pool, GOOD, ['echo 1', 'echo 2']), ['result', 'result']);
  gates.open(gate);
  assert.equal(await long, `wait ${gate}`);
});

test('with one thread, a slow program is interrupted for fast ones', async (t) => {
  const { pool, gates } = await knowing(t, 1);
  const gate = gates.add();
  const long = ask(pool, BAD, `wait ${gate}`);
  await gates.entered(gate);
  for (let i = 0; i < 20; i++) assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  gates.open(gate);
  assert.equal(await long, `wait ${gate}`);
});

test('with one thread, the time slices of a slow program stay short after any number of preemptions', {
  timeout: 300_000,
}, async (t) => {
  const { pool, gates } = await knowing(t, 1);
  const gate = gates.add();
  const long = ask(pool, BAD, `wait ${gate}`);
  // If the slice grew fourfold each time, the tenth would take twenty minutes.
  for (let slice = 1; slice <= 10; slice++) {
    await gates.entered(gate, slice);
    assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  }
  gates.open(gate);
  assert.equal(await long, `wait ${gate}`);
});

test('with one thread, an uninterruptible program loses the thread to fast programs', async (t) => {
  const { pool, gates } = await knowing(t, 1, { penaltyMs: LONG });
  const gate = gates.add();
  const hanging = ask(pool, BAD, `enter-hang ${gate}`);
  await gates.entered(gate);
  for (let i = 0; i < 20; i++) assert.equal(await ask(pool, GOOD, 'echo'), 'echo');
  assert.equal(gates.count(gate), 1);
  await pool.close(0);
  assert.equal(await hanging, 'shutting-down');
});

test('P-32: a full queue rejects the client that fills it, and admits others', async (t) => {
  const depths = { ...defaultPoolSettings.depths, ldpath: 8 };
  const { pool, gates } = await knowing(t, 2, { depths });
  const gate = gates.add();
  const many = (name: string) =>
    Array.from({ length: 64 }, (_, i) => ask(pool, BAD, `hold ${gate} ${name}${i}`));
  const runaways = many('first');
  await gates.entered(gate);
  runaways.push(...many('second'));
  const others = Array.from({ length: 4 }, (_, i) => ask(pool, GOOD, `echo ${i}`));
  for (let i = 0; i < 20; i++) assert.equal(await askFast(pool, GOOD, 'echo'), 'echo');
  gates.open(gate);
  assert.deepEqual(await Promise.all(others), ['echo 0', 'echo 1', 'echo 2', 'echo 3']);
  const rejected = (await Promise.all(runaways)).filter((code) => code === 'overloaded').length;
  assert.ok(rejected > 100, `${rejected} were rejected`);
});

test('too many batches of one client do not prevent a batch of another client', async (t) => {
  const { pool, gates } = await knowing(t, 2, { batches: 4 });
  const gate = gates.add();
  const many = Array.from({ length: 6 }, () => lineCodes(pool, BAD, [`hold ${gate}`]));
  await gates.entered(gate);
  const one = lineCodes(pool, GOOD, ['echo']);
  gates.open(gate);
  assert.deepEqual(await one, ['result']);
  const codes = (await Promise.all(many)).flat();
  assert.equal(codes.filter((code) => code === 'overloaded').length, 2);
});

test('a document of one client does not wait for all documents of another', async (t) => {
  const { pool, gates } = await knowing(t, 2);
  const gate = gates.add();
  const order: string[] = [];
  const parse = (client: string, command: string, name: string) =>
    pool
      .parse(parseRequest(command), importInfo, fakeCaller(undefined, client))
      .then(({ ok }) => order.push(`${name} ${ok}`));
  const all = [parse(BAD, `hold ${gate}`, 'held')];
  await gates.entered(gate);
  for (let i = 0; i < 20; i++) all.push(parse(BAD, 'work 2', `many ${i}`));
  all.push(parse(GOOD, 'work 2', 'one'));
  gates.open(gate);
  await Promise.all(all);
  assert.ok(order.indexOf('one true') <= 2, order.slice(0, 5).join());
});
