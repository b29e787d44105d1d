import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evaluation } from '../../../src/pool/evaluation-request.ts';
import { EvaluationSubmission } from '../../../src/pool/runs/submission.ts';
import { Standing } from '../../../src/pool/scheduling/standing.ts';
import { fakeCaller } from '../../support/callers.ts';
import { evaluation } from '../fixtures/fake-pool.ts';

function mayHaveAll(standing: Standing, what: Evaluation, client = '192.0.2.1'): boolean {
  const caller = fakeCaller(undefined, client);
  return standing.mayHaveAllThreads(
    what,
    new EvaluationSubmission({ evaluation: what, resolve: () => {}, caller }, 0),
  );
}

test('a program may have all threads from when it proved quick until it did not', () => {
  const standing = new Standing(500);
  assert.equal(mayHaveAll(standing, evaluation('a')), false);
  standing.proved(evaluation('a'));
  assert.equal(mayHaveAll(standing, { ...evaluation('a'), start: 'http://example.org/b' }), true);
  assert.equal(mayHaveAll(standing, evaluation('b')), false);
  standing.disproved(evaluation('a'));
  assert.equal(mayHaveAll(standing, evaluation('a')), false);
});

test('the same text with other prefixes, or as the other kind of program, is another program', () => {
  const standing = new Standing(500);
  standing.proved(evaluation('ex:a'));
  assert.equal(mayHaveAll(standing, { ...evaluation('ex:a'), mode: 'program' }), false);
  assert.equal(mayHaveAll(standing, { ...evaluation('ex:a'), namespaces: { ex: 'http://e/' } }), false);
});

test('a client that is not trusted has all threads for no program, and others have them still', () => {
  const standing = new Standing(500);
  standing.proved(evaluation('a'));
  standing.offenders.record('192.0.2.2', true);
  assert.equal(mayHaveAll(standing, evaluation('a'), '192.0.2.2'), false);
  assert.equal(mayHaveAll(standing, evaluation('a'), '192.0.2.1'), true);
  standing.offenders.record('192.0.2.1', false);
  assert.equal(mayHaveAll(standing, evaluation('a'), '192.0.2.1'), true);
});

test('programs that are known are bounded in number', () => {
  const standing = new Standing(500);
  for (let i = 0; i <= 1_000; i++) standing.proved(evaluation(`p${i}`));
  assert.equal(mayHaveAll(standing, evaluation('p1000')), true);
  assert.equal(mayHaveAll(standing, evaluation('p0')), false);
});
