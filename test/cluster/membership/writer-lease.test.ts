import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Lease } from '../../../src/cluster/membership/writer-lease.ts';
import { FakeBucket, FakeTime, type Link } from '../../support/fake-entries.ts';

const BEAT_MS = 250;

interface Process {
  readonly lease: Lease;
  readonly link: { delay: () => number; loses: () => boolean };
  isFit: boolean;
  /** It is stopped, as by SIGSTOP, or has ended. */
  isStopped: boolean;
}

function newProcess(time: FakeTime, bucket: FakeBucket, name: string): Process {
  const link: Link = { delay: () => 1, loses: () => false };
  const process: Process = { lease: undefined as never, link, isFit: true, isStopped: false };
  const lease = new Lease({
    entries: bucket.for(link),
    own: { process: name, url: `http://${name}`, session: name },
    now: () => time.now,
    isFit: () => process.isFit,
    onChange: () => {},
  });
  const beat = () => {
    if (!process.isStopped) lease.beat();
    time.later(BEAT_MS, beat);
  };
  time.later(0, beat);
  return Object.assign(process, { lease });
}

function clusterOf(...names: string[]) {
  const time = new FakeTime();
  const bucket = new FakeBucket(time);
  const processes = names.map((name) => newProcess(time, bucket, name));
  const holders = () => processes.flatMap(({ lease }, i) => (lease.isHeld ? [names[i]] : []));
  return { time, processes, holders };
}

/** A small generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the lease', () => {
  it('has one holder, which the others know', async () => {
    const { time, processes, holders } = clusterOf('a', 'b', 'c');
    await time.run(3_000);
    assert.deepEqual(holders(), ['a']);
    for (const { lease } of processes) assert.deepEqual(lease.holder, { process: 'a', url: 'http://a' });
  });

  it('stays with its holder as long as that renews it', async () => {
    const { time, holders } = clusterOf('a', 'b');
    await time.run(60_000, () => assert.ok(holders().length <= 1));
    assert.deepEqual(holders(), ['a']);
  });

  it('goes to another process after its holder has ended', async () => {
    const { time, processes } = clusterOf('a', 'b');
    await time.run(2_000);
    processes[0]!.isStopped = true;
    await time.run(7_000);
    assert.equal(processes[1]!.lease.isHeld, true);
  });

  it('goes to another process at once when it is released', async () => {
    const { time, processes } = clusterOf('a', 'b');
    await time.run(2_000);
    void processes[0]!.lease.release();
    await time.run(1_500);
    assert.deepEqual(
      processes.map(({ lease }) => lease.isHeld),
      [false, true],
    );
  });

  it('is given up by a holder that cannot renew it, before another can have it', async () => {
    const { time, processes, holders } = clusterOf('a', 'b');
    await time.run(2_000);
    processes[0]!.link.loses = () => true;
    await time.run(4_500, () => assert.ok(holders().length <= 1));
    assert.equal(processes[0]!.lease.isHeld, false);
    await time.run(4_000, () => assert.ok(holders().length <= 1));
    assert.deepEqual(holders(), ['b']);
  });

  it('is not taken by a process that could not write', async () => {
    const { time, processes, holders } = clusterOf('a');
    processes[0]!.isFit = false;
    await time.run(5_000);
    assert.deepEqual(holders(), []);
  });

  it('is kept if the answer to a renewal was lost', async () => {
    const { time, processes, holders } = clusterOf('a', 'b');
    await time.run(2_000);
    let messages = 0;
    processes[0]!.link.loses = () => ++messages === 2;
    await time.run(12_000, () => assert.ok(holders().length <= 1));
    assert.equal(holders().length, 1);
  });

  it('never has two holders, whatever is late, lost or stopped', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed);
      const { time, processes, holders } = clusterOf('a', 'b', 'c');
      for (const process of processes) {
        process.link.delay = () => random() * (random() < 0.1 ? 3_000 : 20);
        process.link.loses = () => random() < 0.15;
      }
      await time.run(40_000, () => assert.ok(holders().length <= 1, `seed ${seed}`));
      for (const process of processes) process.link.loses = () => false;
      await time.run(20_000, () => assert.ok(holders().length <= 1, `seed ${seed}`));
      for (const process of processes) process.link.delay = () => 1;
      await time.run(10_000);
      assert.equal(holders().length, 1, `seed ${seed}`);
    }
  });
});
