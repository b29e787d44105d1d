import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Members } from '../../../src/cluster/membership/live-members.ts';
import { sharedSecret } from '../../../src/cluster/membership/secret.ts';
import { FakeBucket, FakeTime, type Link } from '../../support/fake-entries.ts';
import { MemoryEntries } from '../../support/memory-entries.ts';

const hostOf = (name: string) => (/^[A-Z]/.test(name) ? 'other' : 'one');
const link: Link = { delay: () => 1, loses: () => false };

/** The machine of a process whose name begins with a capital letter is another one. */
function clusterOf(...names: string[]) {
  const time = new FakeTime();
  const bucket = new FakeBucket(time);
  const stopped = new Set<string>();
  const namesakes: string[] = [];
  const elsewhere: string[] = [];
  const members = names.map((name, i) => {
    const each = new Members({
      entries: bucket.for(link),
      own: () => ({ process: name, url: `http://${name}`, host: hostOf(name), commit: i, since: 0 }),
      onNamesake: ({ commit }) => namesakes.push(`${i} ${commit}`),
      onElsewhere: ({ process }) => elsewhere.push(`${name} ${process}`),
      now: () => time.now,
      onRemoval: () => {},
    });
    const beat = () => {
      if (!stopped.has(name)) each.beat();
      time.later(250, beat);
    };
    time.later(0, beat);
    return each;
  });
  return { time, bucket, members, stopped, namesakes, elsewhere };
}

const namesOf = (members: Members | undefined) => members?.all.map(({ process }) => process);

describe('the members of a cluster', () => {
  it('know one another, with what each says of itself', async () => {
    const { time, members } = clusterOf('b', 'a');
    await time.run(2_000);
    const expected = [
      { process: 'a', url: 'http://a', host: 'one', commit: 1, since: 0 },
      { process: 'b', url: 'http://b', host: 'one', commit: 0, since: 0 },
    ];
    for (const each of members) assert.deepEqual(each.all, expected);
  });

  it('notice once that one of them is on another machine', async () => {
    const { time, elsewhere } = clusterOf('a', 'b', 'C', 'D');
    await time.run(3_000);
    const seen = new Set(['a C', 'a D', 'b C', 'b D', 'C a', 'C b', 'D a', 'D b']);
    assert.equal(elsewhere.length, 4);
    assert.deepEqual(
      elsewhere.filter((each) => !seen.has(each)),
      [],
    );
  });

  it('forget one that is silent', async () => {
    const { time, members, stopped } = clusterOf('a', 'b');
    await time.run(2_000);
    stopped.add('b');
    await time.run(8_000);
    assert.deepEqual(namesOf(members[0]), ['a']);
  });

  it('forget at once one that leaves', async () => {
    const { time, members, stopped } = clusterOf('a', 'b');
    await time.run(2_000);
    stopped.add('b');
    void members[1]!.close();
    await time.run(100);
    assert.deepEqual(namesOf(members[0]), ['a']);
  });

  it('notice another process of their name, but not an earlier run of their own', async () => {
    const { time, bucket, namesakes } = clusterOf('a', 'b', 'c');
    const earlier = { process: 'a', url: 'http://a', commit: 0, since: -1 };
    void bucket.for(link).put('member.a', JSON.stringify(earlier));
    const other = { process: 'b', url: 'http://elsewhere', commit: 9, since: 0 };
    for (const ms of [2_000, 3_000]) {
      time.later(ms, () => void bucket.for(link).put('member.b', JSON.stringify(other)));
    }
    await time.run(5_000);
    assert.deepEqual(namesakes, ['1 9']);
  });

  it('watch again after a watch has ended', async () => {
    const { time, bucket, members } = clusterOf('a', 'b');
    await time.run(2_000);
    bucket.endWatches();
    await time.run(10_000);
    assert.equal(bucket.watchers, 2);
    for (const each of members) assert.deepEqual(namesOf(each), ['a', 'b']);
  });
});

describe('the secret of a cluster', () => {
  it('is created once, and the same for all', async () => {
    const entries = new MemoryEntries();
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => sharedSecret(entries)));
    assert.match(first!, /^[\w-]{43}$/);
    for (const other of others) assert.equal(other, first);
  });
});
