import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongSearches } from '../../../src/snapshot/read/long-searches.ts';

/** Searches that pause a number of times, and how many have begun. */
function counted(pauses: number, result: boolean) {
  const counts = { begun: 0 };
  const search = function* (): Generator<void, boolean> {
    counts.begun++;
    for (let i = 0; i < pauses; i++) yield;
    return result;
  };
  return { counts, search };
}

test('a long search is carried out once, whatever it finds', () => {
  for (const result of [true, false]) {
    const searches = new LongSearches();
    const { counts, search } = counted(3, result);
    assert.deepEqual([searches.result(7, search), searches.result(7, search)], [result, result]);
    assert.equal(counts.begun, 1);
    searches.result(8, search);
    assert.equal(counts.begun, 2);
  }
});

test('short searches are not kept, and do not displace long ones', () => {
  const searches = new LongSearches();
  const long = counted(1, false);
  const short = counted(0, true);
  searches.result(1, long.search);
  for (let term = 2; term < 5_000; term++) assert.equal(searches.result(term, short.search), true);
  assert.equal(searches.result(2, short.search), true);
  assert.equal(short.counts.begun, 4_999);
  assert.equal(searches.result(1, long.search), false);
  assert.equal(long.counts.begun, 1);
});

test('a bounded number of results is kept', () => {
  const searches = new LongSearches();
  const { counts, search } = counted(1, true);
  for (let term = 1; term <= 5_000; term++) searches.result(term, search);
  searches.result(1, search);
  assert.equal(counts.begun, 5_001);
});
