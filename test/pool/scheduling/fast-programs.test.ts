import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evaluation } from '../../../src/pool/evaluation-request.ts';
import { EvaluationSubmission } from '../../../src/pool/runs/submission.ts';
import { FastPrograms } from '../../../src/pool/scheduling/fast-programs.ts';
import { fakeCaller } from '../../support/callers.ts';
import { evaluation } from '../fixtures/fake-pool.ts';

function mayHaveAll(fastPrograms: FastPrograms, what: Evaluation, client = '192.0.2.1'): boolean {
  const caller = fakeCaller(undefined, client);
  return fastPrograms.mayHaveAllThreads(
    what,
    new EvaluationSubmission({ evaluation: what, resolve: () => {}, caller }, 0),
  );
}

test('a program may use all threads after it proved fast, until it is slow once', () => {
  const fastPrograms = new FastPrograms(500);
  assert.equal(mayHaveAll(fastPrograms, evaluation('a')), false);
  fastPrograms.proved(evaluation('a'));
  assert.equal(mayHaveAll(fastPrograms, { ...evaluation('a'), start: 'http://example.org/b' }), true);
  assert.equal(mayHaveAll(fastPrograms, evaluation('b')), false);
  fastPrograms.disproved(evaluation('a'));
  assert.equal(mayHaveAll(fastPrograms, evaluation('a')), false);
});

test('the same text with other prefixes or another mode is a different program', () => {
  const fastPrograms = new FastPrograms(500);
  fastPrograms.proved(evaluation('ex:a'));
  assert.equal(mayHaveAll(fastPrograms, { ...evaluation('ex:a'), mode: 'program' }), false);
  assert.equal(mayHaveAll(fastPrograms, { ...evaluation('ex:a'), namespaces: { ex: 'http://e/' } }), false);
});

test('a distrusted client may not use all threads, and other clients still may', () => {
  const fastPrograms = new FastPrograms(500);
  fastPrograms.proved(evaluation('a'));
  fastPrograms.offenders.record('192.0.2.2', true);
  assert.equal(mayHaveAll(fastPrograms, evaluation('a'), '192.0.2.2'), false);
  assert.equal(mayHaveAll(fastPrograms, evaluation('a'), '192.0.2.1'), true);
  fastPrograms.offenders.record('192.0.2.1', false);
  assert.equal(mayHaveAll(fastPrograms, evaluation('a'), '192.0.2.1'), true);
});

test('the number of remembered fast programs is bounded', () => {
  const fastPrograms = new FastPrograms(500);
  for (let i = 0; i <= 1_000; i++) fastPrograms.proved(evaluation(`p${i}`));
  assert.equal(mayHaveAll(fastPrograms, evaluation('p1000')), true);
  assert.equal(mayHaveAll(fastPrograms, evaluation('p0')), false);
});
