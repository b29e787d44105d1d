import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHttpDate } from '../../../src/http/headers/http-date.ts';
import { formatLastModified, parseLastModified } from '../../../src/http/headers/last-modified.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 700);
/** Ages of a change, in milliseconds. */
const ages = [
  0, 1, 699, 700, 701, 999, 1_000, 1_999, 5_000, 59_000, 59_699, 59_701, 60_000, 61_000, 62_000, 1e7,
];
const second = (time: number) => Math.floor(time / 1000) * 1000;

test('Last-Modified is not later than a Date that is up to a second late', () => {
  for (const age of ages) {
    const told = parseHttpDate(formatLastModified(NOW - age, NOW))!;
    assert.ok(told <= second(NOW - 1_000), `${age} ms`);
  }
});

test('the date of a change never changes', () => {
  for (const age of ages) {
    const told = formatLastModified(NOW - age, NOW);
    for (const later of [1_000, 30_000, 61_000, 1e9]) {
      assert.equal(formatLastModified(NOW - age, NOW + later), told, `${age}, ${later} ms`);
    }
  }
});

test('a resource that was not changed since is not newer than its date', () => {
  for (const age of ages) {
    const modified = second(NOW - age);
    assert.ok(modified <= parseLastModified(formatLastModified(modified, NOW))!, `${age} ms`);
  }
});

test('a resource that was changed since, in another second, is newer', () => {
  for (const age of ages) {
    const told = formatLastModified(NOW - age, NOW);
    for (const later of [0, 1, 300, 1_000, 2_000, 61_000]) {
      const changed = Math.max(NOW + later, second(NOW - age) + 1_000);
      assert.ok(second(changed) > parseLastModified(told)!, `${age}, ${later} ms`);
    }
  }
});

test('a time in the future counts as now', () => {
  assert.equal(formatLastModified(NOW + 100_000, NOW), formatLastModified(NOW, NOW));
});

test('a malformed date is ignored', () => {
  assert.equal(parseLastModified('yesterday'), undefined);
});
