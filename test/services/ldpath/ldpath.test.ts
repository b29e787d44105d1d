import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evaluation, EvaluationResult } from '../../../src/pool/evaluation-request.ts';
import { LdPathService } from '../../../src/services/ldpath/ldpath.ts';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { fakeCaller } from '../../support/callers.ts';

const found: EvaluationResult = { ok: true, value: Buffer.from('[]'), sequence: 7 };
const notFound: EvaluationResult = {
  ok: false,
  error: { code: 'resource-not-found', message: 'There is no such resource.', details: {} },
};

/** Returns a service with a pool that knows one mentioned resource, and a registry with another. */
function setUp() {
  const evaluations: Evaluation[] = [];
  const asked: string[] = [];
  const evaluate = (evaluation: Evaluation) => {
    evaluations.push(evaluation);
    return Promise.resolve(evaluation.known || evaluation.start === 'urn:mentioned' ? found : notFound);
  };
  const batch = () => {
    throw new Error('not used');
  };
  const isKnown = (start: string) => {
    asked.push(start);
    return start === 'urn:registered';
  };
  const service = new LdPathService(
    { isKnown, view: () => undefined },
    {
      evaluate,
      evaluateSent: () => assert.fail('not used'),
      batch,
      startSet: batch,
      rejection: () => null,
    },
    { snapshot: { sequence: 6 } as SnapshotDescriptor, state: String, identityName: 'name' },
    { sourceBytes: 6, resultBytes: 1_000 },
  );
  const ask = (start: string, source = '.') =>
    service.evaluate({ mode: 'path', source }, start, 'result', fakeCaller());
  const trace = (...starts: string[]) =>
    service.traceAll({ mode: 'program', source: '' }, starts, fakeCaller());
  return { evaluations, asked, ask, trace };
}

test('a start resource in a triple is evaluated without a registry lookup (R-1)', async () => {
  const { evaluations, asked, ask } = setUp();
  assert.deepEqual(await ask('urn:mentioned'), found);
  assert.equal(evaluations.length, 1);
  assert.deepEqual(asked, []);
});

test('a start resource that only a registry contains is evaluated as existing (R-1, P-2)', async () => {
  const { evaluations, ask } = setUp();
  // The registry was read before the evaluation, so the result may be that of the older commit.
  assert.deepEqual(await ask('urn:registered'), { ...found, sequence: 6 });
  assert.deepEqual(
    evaluations.map(({ start, known }) => [start, known]),
    [
      ['urn:registered', false],
      ['urn:registered', true],
    ],
  );
});

test('a start resource in no triple and no registry does not exist (P-2)', async () => {
  const { evaluations, asked, ask } = setUp();
  assert.deepEqual(await ask('urn:none'), notFound);
  assert.equal(evaluations.length, 1);
  assert.deepEqual(asked, ['urn:none']);
});

test('the length of a path is limited in bytes (P-6)', async () => {
  const { ask } = setUp();
  const code = async (source: string) => {
    const result = await ask('urn:mentioned', source);
    return result.ok ? 'ok' : result.error.code;
  };
  assert.equal(await code('123456'), 'ok');
  assert.equal(await code('1234567'), 'too-large');
  assert.equal(await code('äöü'), 'ok');
  assert.equal(await code('äöü1'), 'too-large');
  assert.equal(await code('日本'), 'ok');
  assert.equal(await code('日本1'), 'too-large');
});

test('the start resources of a request share the size of a trace (P-74)', async () => {
  const { evaluations, trace } = setUp();
  await trace('urn:mentioned');
  assert.deepEqual(evaluations.at(-1)!.trace, { nodes: 1000, edges: 2000 });
  assert.equal(evaluations.at(-1)!.resultKind, 'details');
  const three = await trace('urn:mentioned', 'urn:mentioned', 'urn:registered');
  assert.equal(three.ok && three.value.length, 3);
  assert.deepEqual(evaluations.at(-1)!.trace, { nodes: 333, edges: 666 });
  assert.equal((await trace('urn:mentioned', 'urn:nobody')).ok, false);
});

test('traces are computed one after another, so that a large program does not hold a thread (P-74)', async () => {
  const { evaluations, trace } = setUp();
  const traces = trace('urn:mentioned', 'urn:mentioned', 'urn:mentioned');
  assert.equal(evaluations.length, 1);
  assert.equal((await traces).ok, true);
  assert.equal(evaluations.length, 3);
});
