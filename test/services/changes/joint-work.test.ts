import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JointWork } from '../../../src/services/changes/joint-work.ts';

describe('work in which several take part', () => {
  it('is done once for all with the same key at one time, and again later', async () => {
    const shared = new JointWork<number>();
    let begun = 0;
    const begin = async () => ++begun;
    const both = [shared.join('a', begin), shared.join('a', begin)];
    const other = shared.join('b', begin);
    assert.deepEqual(await Promise.all([...both, other].map(({ result }) => result)), [1, 1, 2]);
    assert.equal(await shared.join('a', begin).result, 3);
  });

  it('is ended when the last one leaves, and not before', async () => {
    const shared = new JointWork<string>();
    let aborts = 0;
    const begin = (onAbort: (abort: () => void) => void) =>
      new Promise<string>((resolve) => {
        onAbort(() => {
          aborts++;
          resolve('ended');
        });
      });
    const [first, second] = [shared.join('a', begin), shared.join('a', begin)];
    first.leave();
    first.leave();
    assert.equal(aborts, 0);
    second.leave();
    assert.equal(aborts, 1);
    const next = shared.join('a', async () => 'new');
    assert.equal(await next.result, 'new');
    assert.equal(await second.result, 'ended');
  });
});
