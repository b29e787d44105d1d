import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePrefer } from '../../../src/http/headers/prefer.ts';

const A = 'http://www.w3.org/ns/ldp#PreferContainment';
const B = 'http://www.w3.org/ns/ldp#PreferMembership';

test('5.5: the IRIs to include and to omit are read', () => {
  assert.deepEqual(parsePrefer(`return=representation; include="${A} ${B}"`), { include: [A, B], omit: [] });
  assert.deepEqual(parsePrefer(`return=representation;omit="${A}" ; include="${B}"`), {
    include: [B],
    omit: [A],
  });
});

test('5.5: quotes are optional, names are case-insensitive, and the header may be repeated', () => {
  assert.deepEqual(parsePrefer(`Return="representation"; Include=${A}`), { include: [A], omit: [] });
  const joined = `handling=lenient, return=representation; include="${A}", return=representation; omit="${B}", wait=10`;
  assert.deepEqual(parsePrefer(joined), { include: [A], omit: [B] });
});

test('L-22, L-23: other preferences are ignored', () => {
  assert.equal(parsePrefer(undefined), undefined);
  assert.equal(parsePrefer('return=minimal'), undefined);
  assert.equal(parsePrefer('return=representation'), undefined);
  assert.equal(parsePrefer(`return=minimal; include="${A}"`), undefined);
  assert.equal(parsePrefer(`respond-async; include="${A}"`), undefined);
  assert.equal(parsePrefer('return=representation; include=""'), undefined);
});

test('an unclosed quote and a quoted comma do no harm', () => {
  assert.deepEqual(parsePrefer(`return=representation; include="${A}`), { include: [A], omit: [] });
  assert.deepEqual(parsePrefer(`x="a, b", return=representation; include="${A}"`), {
    include: [A],
    omit: [],
  });
  assert.equal(parsePrefer(`${'"'.repeat(20_000)}`), undefined);
  assert.equal(parsePrefer(`return=${'\\"'.repeat(20_000)}`), undefined);
});
