import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/base/caller.ts';
import { programKey, Quarantine } from '../../../src/pool/scheduling/quarantine.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { fakeCaller } from '../../support/callers.ts';
import { evaluation, fakePool, fast, proveFast, resultOf } from '../fixtures/fake-pool.ts';

const MINUTE = 60_000;

function withClock() {
  const clock = { time: 1_000, now: () => clock.time };
  return { clock, quarantine: new Quarantine(clock) };
}

test('P-30: a program is rejected after it ended three threads, and accepted again five minutes later', () => {
  const { clock, quarantine } = withClock();
  for (let kill = 0; kill < 3; kill++) {
    assert.equal(quarantine.rejection('bad'), null);
    quarantine.record('bad');
  }
  clock.time += MINUTE;
  const rejection = quarantine.rejection('bad');
  assert.equal(rejection?.code, 'quarantined');
  assert.equal(rejection.details.retryAfter, 240);
  assert.equal(quarantine.rejection('good'), null);
  clock.time += 4 * MINUTE + 1;
  assert.equal(quarantine.rejection('bad'), null);
});

test('terminations that are far apart are not added up', () => {
  const { clock, quarantine } = withClock();
  for (let kill = 0; kill < 5; kill++) {
    quarantine.record('unlucky');
    clock.time += 6 * MINUTE;
    assert.equal(quarantine.rejection('unlucky'), null);
  }
});

test('remembered programs are bounded by count and by length', () => {
  const { quarantine } = withClock();
  const refuse = (source: string) => {
    for (let kill = 0; kill < 3; kill++) quarantine.record(source);
  };
  for (let i = 0; i < 1_001; i++) refuse(`bad ${i}`);
  assert.equal(quarantine.rejection('bad 0'), null);
  assert.notEqual(quarantine.rejection('bad 1000'), null);
  for (let i = 0; i < 40; i++) refuse(String(i).padEnd(256 * 1024));
  assert.equal(quarantine.rejection('bad 1000'), null);
  assert.notEqual(quarantine.rejection('39'.padEnd(256 * 1024)), null);
});

const strict = { evaluationMs: 100, graceMs: 50 };

for (const [source, code, settings] of [
  ['hang', 'time-limit', strict],
  ['exit', 'internal', {}],
  ['eat', 'budget-exceeded', { heapMegabytes: 32 }],
] as const) {
  test(`a loop of retries of '${source}' costs three threads, and then it is rejected at once`, async (t) => {
    const { pool } = fakePool(t, 2, settings);
    const codes: string[] = [];
    for (let i = 0; i < 5; i++) codes.push(await resultOf(pool.evaluate(evaluation(source))));
    assert.deepEqual(codes, [code, code, code, 'quarantined', 'quarantined']);
    assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  });
}

test('G-161: for clients that see other graphs the same program is not rejected', async (t) => {
  const { pool } = fakePool(t, 2);
  for (let i = 0; i < 4; i++) await pool.evaluate(evaluation('exit'));
  const read = iriPatterns(['urn:open/*']);
  const restricted = { ...fakeCaller(), access: { read, write: iriPatterns([]) } };
  const result = (caller?: Caller) => resultOf(pool.evaluate(evaluation('exit'), caller));
  assert.equal(await result(), 'quarantined');
  for (let i = 0; i < 3; i++) assert.equal(await result(restricted), 'internal');
  assert.equal(await result(restricted), 'quarantined');
});

test('the key of a program has no text in common with that of other graphs', () => {
  const [one, two] = [iriPatterns(['urn:a', 'urn:b']), iriPatterns(['urn:b'])];
  assert.equal(programKey('x', undefined), 'x');
  assert.notEqual(programKey('x\nurn:a', two), programKey('x', one));
  assert.notEqual(programKey('x', iriPatterns([])), programKey('x', undefined));
});

test('waiting evaluations of a program are rejected together with the program', async (t) => {
  const { pool } = fakePool(t, 2, strict);
  const sources = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'hang' : `echo ${i}`));
  const results = await Promise.all(sources.map((source) => resultOf(pool.evaluate(evaluation(source)))));
  const codes = results.filter((_, i) => sources[i] === 'hang');
  const ended = codes.filter((code) => code === 'time-limit').length;
  assert.ok(ended >= 3 && ended < 12, `${ended} ended`);
  assert.equal(codes.filter((code) => code === 'quarantined').length, 50 - ended);
  assert.deepEqual(
    results.filter((_, i) => sources[i] !== 'hang'),
    sources.filter((source) => source !== 'hang'),
  );
});

test('a program that is preempted while others wait is not charged', async (t) => {
  const { pool, gates } = fakePool(t, 2, { graceMs: 50, evaluationMs: 600_000 });
  await proveFast(pool);
  await proveFast(pool, evaluation('echo'));
  const gate = gates.add();
  const hanging = [1, 2].map(() => resultOf(pool.evaluate(fast(`enter-hang ${gate}`))));
  for (let i = 2; i < 6; i++) {
    await gates.entered(gate, i);
    assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  }
  await pool.close(0);
  assert.deepEqual(await Promise.all(hanging), ['shutting-down', 'shutting-down']);
});
