import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Closer } from '../../src/startup/closer.ts';

test('parts are closed one after another, the last one first, with the time that they have', async () => {
  const closer = new Closer();
  const events: unknown[] = [];
  closer.add(async (graceMs) => {
    events.push(['first', graceMs]);
  });
  closer.add(async (graceMs) => {
    events.push(['last begins', graceMs]);
    await new Promise(setImmediate);
    events.push(['last ends']);
  });
  await closer.close(10);
  assert.deepEqual(events, [['last begins', 10], ['last ends'], ['first', 10]]);
});

test('parts are closed once', async () => {
  const closer = new Closer();
  let closed = 0;
  closer.add(() => closed++);
  await Promise.all([closer.close(10), closer.close(0)]);
  await closer.close(0);
  assert.equal(closed, 1);
});

test('a part that fails to close does not keep the others open, and its error is reported', async () => {
  const closer = new Closer();
  const closed: string[] = [];
  closer.add(() => closed.push('first'));
  closer.add(() => Promise.reject(new Error('stuck')));
  closer.add(() => closed.push('last'));
  await assert.rejects(closer.close(0), { message: 'stuck' });
  assert.deepEqual(closed, ['last', 'first']);
});
