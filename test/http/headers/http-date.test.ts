import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatHttpDate, parseHttpDate } from '../../../src/http/headers/http-date.ts';

const time = Date.UTC(1994, 10, 6, 8, 49, 37);

test('all three forms of an HTTP date are read', () => {
  assert.equal(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT'), time);
  assert.equal(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT'), time);
  assert.equal(parseHttpDate('Sun Nov  6 08:49:37 1994'), time);
});

test('a date is written in the fixed form, without its milliseconds', () => {
  assert.equal(formatHttpDate(time + 999), 'Sun, 06 Nov 1994 08:49:37 GMT');
});

test('a malformed HTTP date is undefined', () => {
  for (const text of [
    '',
    'now',
    '0',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT x',
  ]) {
    assert.equal(parseHttpDate(text), undefined, text);
  }
});

test('a year of two digits lies at most fifty years ahead', () => {
  const year = new Date(parseHttpDate('Sunday, 06-Nov-75 08:49:37 GMT')!).getUTCFullYear();
  assert.ok(year % 100 === 75 && year <= new Date().getUTCFullYear() + 50);
});

test('a time may be any second of a day, and a leap second', () => {
  for (const [last, beyond] of [
    ['23:59:59', '24:59:59'],
    ['08:59:37', '08:60:37'],
    ['23:59:60', '23:59:61'],
  ] as const) {
    assert.notEqual(parseHttpDate(`Sun, 06 Nov 1994 ${last} GMT`), undefined, last);
    assert.equal(parseHttpDate(`Sun, 06 Nov 1994 ${beyond} GMT`), undefined, beyond);
  }
});
