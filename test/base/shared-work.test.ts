import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/base/caller.ts';
import { SharedWork } from '../../src/base/shared-work.ts';
import { fakeCaller } from '../support/callers.ts';

function setUp() {
  const shared = new SharedWork<string>();
  const begun: { finish: (result: string) => void; cancelled: boolean }[] = [];
  const begin = (caller: Caller) =>
    new Promise<string>((resolve) => {
      const work = { finish: resolve, cancelled: false };
      begun.push(work);
      caller.onAbort(() => {
        work.cancelled = true;
        resolve('cancelled');
      });
    });
  const client = (key: string) => {
    let leave = () => {};
    const result = shared.join(
      key,
      fakeCaller((listener) => {
        leave = listener;
      }),
      begin,
    );
    return { result, leave: () => leave() };
  };
  return { begun, client };
}

test('what is under way is not begun again, and what has ended is', async () => {
  const { begun, client } = setUp();
  const [one, two, other] = [client('a'), client('a'), client('b')];
  assert.equal(begun.length, 2);
  begun[0]?.finish('first');
  begun[1]?.finish('other');
  assert.deepEqual(await Promise.all([one.result, two.result, other.result]), ['first', 'first', 'other']);
  const again = client('a');
  assert.equal(begun.length, 3);
  begun[2]?.finish('second');
  assert.equal(await again.result, 'second');
});

test('work goes on while anybody waits for it, and is cancelled when all have gone', async () => {
  const { begun, client } = setUp();
  const [one, two] = [client('a'), client('a')];
  one.leave();
  assert.equal(begun[0]?.cancelled, false);
  two.leave();
  assert.equal(begun[0]?.cancelled, true);
  const later = client('a');
  assert.equal(begun.length, 2);
  await two.result;
  const last = client('a');
  assert.equal(begun.length, 2);
  begun[1]?.finish('done');
  assert.deepEqual(await Promise.all([later.result, last.result]), ['done', 'done']);
});
