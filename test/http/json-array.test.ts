import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { jsonArray } from '../../src/http/json-array.ts';
import { fakeCaller } from '../support/callers.ts';

const stays = fakeCaller();

async function textOf(entries: Iterable<unknown>): Promise<string> {
  const written = await jsonArray(entries, stays);
  assert.ok(written.ok);
  return Buffer.from(written.value).toString();
}

/** Entries that take long: the whole takes some hundred turns. */
function* slow(count: number): Generator<number> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
    yield i;
  }
}

test('the text is that of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 100 }), async (entries) => {
      assert.equal(await textOf(entries), JSON.stringify(entries));
    }),
  );
  const many = Array.from({ length: 200_000 }, (_, i) => ({ uri: `urn:x:${i}`, label: 'ä"', size: i }));
  assert.equal(await textOf(many), JSON.stringify(many));
});

test('others have turns while a long array is written, and several are written one after another', async () => {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  const both = await Promise.all([textOf(slow(1000)), textOf(slow(1000)), textOf(slow(1))]);
  isOver = true;
  await counting;
  const whole = JSON.stringify(Array.from({ length: 1000 }, (_, i) => i));
  assert.deepEqual(both, [whole, whole, '[0]']);
  assert.ok(turns > 20, `${turns} turns`);
});

test('an array that nobody waits for any more, or that fails, is given up, and the next is written', async () => {
  let leave = () => {};
  let taken = 0;
  const counted = (function* () {
    for (const entry of slow(100_000)) {
      taken++;
      yield entry;
    }
  })();
  const left = jsonArray(
    counted,
    fakeCaller((listener) => {
      leave = listener;
    }),
  );
  const failing = jsonArray(
    (function* () {
      yield* slow(200);
      throw new Error('no more');
    })(),
    stays,
  );
  const next = textOf(slow(200));
  await nextTurn();
  leave();
  const given = await left;
  assert.ok(!given.ok && given.error.code === 'cancelled');
  assert.ok(taken < 100_000);
  await assert.rejects(failing, /no more/);
  assert.equal(await next, JSON.stringify(Array.from({ length: 200 }, (_, i) => i)));
});
