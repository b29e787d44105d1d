import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../src/snapshot/dictionary/dictionary.ts';
import { DictionaryWriter } from '../../src/snapshot/dictionary/term-writer.ts';
import { BaseOrderScan } from '../../src/snapshot/read/scans.ts';
import { BaseRun, fitsBase } from '../../src/snapshot/runs/base-run.ts';

/**
 * Memory that is never written to takes no room; where a system grants no such addresses, the test
 * can't be made.
 */
function sparse<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

test('a base run of 200 million quads finds its last ones', (t) => {
  const shape = { quads: 200_000_000, terms: 80_000_000, graphs: 1000, predicates: 100 };
  const base = sparse(() => BaseRun.allocate(shape));
  if (!base) return t.skip('no addresses');
  const subject = shape.terms;
  const from = shape.quads - 40;
  const { offsets, rows } = base.bySubject;
  base.words[offsets + subject] = from;
  base.words[offsets + subject + 1] = shape.quads;
  for (let i = 0; i < 40; i++) base.words.set([7, 100 + i, 2], rows + 3 * (from + i));
  base.words[base.predicateIds + 99] = 7;
  base.words[base.predicateCounts + 99] = 123;
  for (let i = 0; i < 40; i++) assert.equal(base.has(subject, 7, 100 + i, 2), true);
  assert.equal(base.has(subject, 7, 140, 2) || base.has(subject, 6, 100, 2), false);
  assert.equal(base.bySubject.seek(from, shape.quads, 7, 120), from + 20);
  assert.equal(base.predicateCount(7), 123);
  const scan = new BaseOrderScan(base).reset(0, subject, from, shape.quads);
  let count = 0;
  for (; scan.next(); count++) assert.deepEqual([scan.a, scan.c], [subject, 100 + count]);
  assert.equal(count, 40);
});

test('a dictionary reads and finds terms at offsets from 2 GiB to 4 GiB', (t) => {
  const arena = sparse(() => new SharedArrayBuffer(2 ** 32 - 1));
  if (!arena) return t.skip('no addresses');
  const small = new DictionaryWriter();
  const texts = ['<http://example.org/across>', '"far"', '<http://example.org/last>'];
  for (const text of texts) small.internText(text);
  const { table, termCount, generation } = small.descriptor();
  const starts = [2 ** 31 - 9, 3 * 2 ** 30, 2 ** 32 - 1 - texts[2]!.length];
  // Terms lie one behind the other, so these are as long as the way to the next; only their ends
  // are of use.
  texts.forEach((text, i) => {
    const ends = Uint32Array.from({ length: termCount + 1 }, (_, id) => (id <= i + 1 ? starts[i]! : 0));
    ends[i + 2] = starts[i]! + text.length;
    const shared = new Uint32Array(new SharedArrayBuffer(4 * ends.length));
    shared.set(ends);
    new Uint8Array(arena).set(Buffer.from(text), starts[i]!);
    const dictionary = new Dictionary({ generation, termCount, arena, ends: shared.buffer, table });
    assert.equal(dictionary.text(i + 2), text);
    assert.equal(dictionary.find(text), i + 2);
  });
});

test('quads that do not fit one run are rejected in advance', () => {
  assert.equal(fitsBase(200_000_000, 200_000_000), true);
  assert.equal(fitsBase(500_000_000, 130_000_000), true);
  assert.equal(fitsBase(600_000_000, 100_000_000), false);
  assert.throws(
    () => BaseRun.allocate({ quads: 700_000_000, terms: 1, graphs: 1, predicates: 1 }),
    RangeError,
  );
});
