import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResourceLock } from '../../../src/ldp/main/resource-lock.ts';

test('work runs at once while no writer holds the lock', async () => {
  const turns = new ResourceLock();
  const order: string[] = [];
  const first = turns.pass('x', async () => {
    order.push('begin');
    await Promise.resolve();
    order.push('end');
  });
  const second = turns.pass('x', async () => order.push('other'));
  await Promise.all([first, second]);
  assert.deepEqual(order, ['begin', 'other', 'end']);
});

test('a writer that lost a race takes the lock, and later writers wait for it', async () => {
  const turns = new ResourceLock();
  const order: string[] = [];
  let attempts = 0;
  const writer = turns.attempt('x', 5, async () => {
    attempts++;
    order.push(`attempt ${attempts}`);
    await Promise.resolve();
    return attempts < 3 ? undefined : 'done';
  });
  while (!turns.isTaken('x')) await Promise.resolve();
  const later = turns.pass('x', async () => order.push('later'));
  const elsewhere = turns.pass('y', async () => order.push('elsewhere'));
  assert.equal(await writer, 'done');
  await Promise.all([later, elsewhere]);
  assert.equal(order.at(-1), 'later');
  assert.ok(order.indexOf('elsewhere') < order.indexOf('later'));
  assert.equal(turns.isTaken('x'), false);
});

test('the lock is granted in the order of requests, and released when work fails', async () => {
  const turns = new ResourceLock();
  const end = await turns.take('x');
  const order: number[] = [];
  const waiting = [1, 2, 3].map((i) =>
    turns.pass('x', async () => {
      order.push(i);
      if (i === 1) throw new Error('no');
    }),
  );
  end();
  const results = await Promise.allSettled(waiting);
  assert.deepEqual(order, [1, 2, 3]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  assert.equal(turns.isTaken('x'), false);
});

test('a writer that loses every race gets an error in the end', async () => {
  const turns = new ResourceLock();
  let attempts = 0;
  const overtaken = async () => {
    attempts++;
  };
  assert.equal(await turns.attempt('x', 3, overtaken), undefined);
  assert.equal(attempts, 3);
  assert.equal(turns.isTaken('x'), false);
});
