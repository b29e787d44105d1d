import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHttpDate } from '../../../src/http/headers/http-date.ts';
import {
  formatLastModified,
  hasSettled,
  parseLastModified,
} from '../../../src/http/headers/last-modified.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 700);
/** How late `Date` may be while the event loop is not blocked. */
const LATE = 1_600;
const REACHED = NOW - LATE;
/** Ages of a change, in milliseconds. */
const ages = [
  0, 1, 699, 700, 701, 999, 1_000, 1_999, 5_000, 59_000, 59_699, 59_701, 60_000, 61_000, 62_000, 1e7,
];
const second = (time: number) => Math.floor(time / 1000) * 1000;

test('G-73: Last-Modified is not later than a Date that is late', () => {
  for (const age of ages) {
    const told = parseHttpDate(formatLastModified(NOW - age, REACHED))!;
    assert.ok(told <= second(REACHED), `${age} ms`);
  }
});

test('the date of a change never changes', () => {
  for (const age of ages) {
    const told = formatLastModified(NOW - age, REACHED);
    assert.ok(hasSettled(NOW - age, REACHED));
    for (const later of [1_000, 30_000, 61_000, 1e9]) {
      assert.equal(formatLastModified(NOW - age, REACHED + later), told, `${age}, ${later} ms`);
    }
  }
});

test('a resource that was not changed since is not newer than its date', () => {
  for (const age of ages) {
    const modified = second(NOW - age);
    assert.ok(modified <= parseLastModified(formatLastModified(modified, REACHED))!, `${age} ms`);
  }
});

test('a resource that was changed since, in another second, is newer', () => {
  for (const age of ages) {
    const told = formatLastModified(NOW - age, REACHED);
    for (const later of [0, 1, 300, 1_000, 2_000, 61_000]) {
      const changed = Math.max(NOW + later, second(NOW - age) + 1_000);
      assert.ok(second(changed) > parseLastModified(told)!, `${age}, ${later} ms`);
    }
  }
});

test('G-73: a time that Date has not reached is replaced by one that it has', () => {
  for (const ahead of [LATE, 5_000, 1e9]) {
    const told = parseHttpDate(formatLastModified(NOW + ahead, REACHED))!;
    assert.equal(told, second(REACHED), `${ahead} ms`);
    assert.equal(hasSettled(NOW + ahead, REACHED), false);
  }
});

test('a client that sends back such a date gets the representation again', () => {
  const modified = NOW + 100_000;
  assert.ok(modified > parseLastModified(formatLastModified(modified, REACHED))!);
});

test('a malformed date is ignored', () => {
  assert.equal(parseLastModified('yesterday'), undefined);
});
