import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LineRoom } from '../../../src/pool/batch/line-room.ts';

const BIG = 100_000;

describe('the room for lines of batches', () => {
  it('has half for lines that are due, and half for others', () => {
    const room = new LineRoom(4 * BIG);
    for (const isDue of [true, false]) {
      const [first, second] = [room.reserve(BIG, isDue), room.reserve(BIG, isDue)];
      assert.ok(first && second);
      assert.equal(room.reserve(BIG, isDue), undefined);
      first();
      first();
      assert.ok(room.reserve(BIG, isDue));
      assert.equal(room.reserve(BIG, isDue), undefined, 'what is given back counts once');
    }
  });

  it('is always there for few bytes, and for lines by themselves that are due', () => {
    const room = new LineRoom(BIG);
    assert.equal(room.reserve(BIG, false), undefined);
    const release = room.reserve(10 * BIG, true);
    assert.ok(release);
    assert.equal(room.reserve(BIG, true), undefined);
    assert.ok(room.reserve(1000, true) && room.reserve(1000, false));
    release();
    assert.ok(room.reserve(BIG, true));
  });

  it('can be waited for, as long as it is wanted', async () => {
    const room = new LineRoom(2 * BIG);
    const release = room.reserve(BIG, true)!;
    let isWanted = true;
    const due = () => true;
    const [free, unwanted] = [room.whenFree(BIG, due, () => true), room.whenFree(BIG, due, () => isWanted)];
    isWanted = false;
    (await unwanted)();
    release();
    (await free)();
    assert.ok(room.reserve(BIG, true));
  });
});
