import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Membership } from '../../../src/cluster/membership/own-membership.ts';
import { MemoryEntries } from '../../support/memory-entries.ts';

/** `attempts`: whether each attempt to catch up succeeds; the last one is repeated. */
function joining(attempts: readonly Promise<boolean>[]) {
  const leases: boolean[] = [];
  let vain = 0;
  let count = 0;
  const membership = new Membership({
    entries: new MemoryEntries(),
    own: { process: 'a', url: 'http://a' },
    commit: () => 7,
    isFit: () => true,
    catchUp: () => attempts[Math.min(count++, attempts.length - 1)]!,
    onVainAttempt: () => vain++,
    onLease: (isHeld) => leases.push(isHeld),
    onNamesake: () => assert.fail('another process has the name'),
    onElsewhere: () => assert.fail('another process is on another machine'),
  });
  return { membership, leases, joined: membership.join(), vain: () => vain };
}

describe('a process that has just got the lease', () => {
  it('is no holder before it has the commits of the holder before', async () => {
    let resolve = (_: boolean) => {};
    const caughtUp = new Promise<boolean>((settle) => {
      resolve = settle;
    });
    const { membership, leases, joined } = joining([caughtUp]);
    await membership.change(60_000);
    assert.equal(membership.holdsLease, false);
    assert.equal(membership.holder, undefined);
    assert.deepEqual(leases, []);
    resolve(true);
    await joined;
    assert.equal(membership.holdsLease, true);
    assert.deepEqual(membership.holder, { process: 'a', url: 'http://a' });
    assert.deepEqual(leases, [true]);
    await membership.leave();
    assert.deepEqual(leases, [true, false]);
  });

  it('is no writer if it loses the lease meanwhile', async () => {
    const attempt = new Promise<boolean>((resolve) => {
      setImmediate(() => resolve(true));
    });
    const { membership, leases, joined, vain } = joining([attempt]);
    await membership.change(60_000);
    await membership.leave();
    await joined;
    assert.deepEqual(leases, []);
    assert.equal(vain(), 1);
  });

  it('tries again if it cannot catch up at once', async () => {
    const { membership, joined } = joining([Promise.resolve(false), Promise.resolve(true)]);
    await joined;
    assert.equal(membership.holdsLease, true);
    await membership.leave();
  });
});
