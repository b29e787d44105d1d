import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteCounts } from '../../../src/cluster/nats/byte-counts.ts';

const STEP = 1 << 20;

describe('the bytes of records that a process has seen', () => {
  it('are known up to earlier records, a mebibyte less at most', () => {
    const counts = new ByteCounts();
    let total = 0;
    const totals = [0];
    for (let commit = 1; commit <= 500; commit++) {
      counts.add(commit, (commit * 7919) % 50_000);
      total += (commit * 7919) % 50_000;
      totals.push(total);
    }
    assert.equal(counts.total, total);
    for (let commit = 1; commit <= 500; commit++) {
      const missing = totals[commit]! - counts.through(commit);
      assert.ok(missing >= 0 && missing < STEP + 50_000, `${missing} at ${commit}`);
    }
  });

  it('stay known when what is before has been forgotten', () => {
    const counts = new ByteCounts();
    for (let commit = 1; commit <= 100; commit++) counts.add(commit, STEP / 4);
    const before = [90, 91, 95, 100].map((commit) => counts.through(commit));
    counts.forget(90);
    assert.deepEqual(
      [90, 91, 95, 100].map((commit) => counts.through(commit)),
      before,
    );
  });

  it('take little memory however many they are: then they are known less exactly', () => {
    const counts = new ByteCounts();
    for (let commit = 1; commit <= 100_000; commit++) counts.add(commit, STEP);
    const found = new Set(Array.from({ length: 100_000 }, (_, commit) => counts.through(commit)));
    assert.ok(found.size > 250 && found.size <= 1024, `${found.size}`);
    const missing = 50_000 * STEP - counts.through(50_000);
    assert.ok(missing >= 0 && missing < 500 * STEP, `${missing}`);
  });
});
