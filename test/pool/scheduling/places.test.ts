import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasShareLeft } from '../../../src/pool/scheduling/places.ts';

test('a single client may have all places, and no more', () => {
  assert.equal(hasShareLeft(0, 0, 1), true);
  assert.equal(hasShareLeft(99, 1, 100), true);
  assert.equal(hasShareLeft(100, 1, 100), false);
});

test('when all places are taken, only clients below their share get another place', () => {
  assert.equal(hasShareLeft(0, 1, 100), true);
  assert.equal(hasShareLeft(49, 2, 100), true);
  assert.equal(hasShareLeft(50, 2, 100), false);
  assert.equal(hasShareLeft(100, 2, 100), false);
});

test('the number of places is bounded for any number of clients', () => {
  assert.equal(hasShareLeft(0, 99, 100), true);
  assert.equal(hasShareLeft(0, 100, 100), false);
});
