import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { REMOVED } from '../../src/snapshot/runs/order.ts';
import { randomTransaction, toTransaction } from '../simulation/random-transactions.ts';
import { SimDisk, seededRandom } from '../simulation/sim-disk.ts';
import { commitBig } from '../support/big-write.ts';
import { allChanges, KEEP_ALL, pagesInFiles, pagesInRing, patchesOf, patchOf } from '../support/histories.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../support/stores.ts';

const SUBJECTS = { version: 1, terms: ['<urn:s1>'], resources: [] };
const CHECKPOINT_OFTEN = { journalMax: 2000, changesRetention: KEEP_ALL };

/** Applies RDF Patch to lines of N-Quads. */
function apply(lines: ReadonlySet<string>, patch: string): Set<string> {
  const after = new Set(lines);
  for (const row of patch.split('\n').filter(Boolean)) {
    if (row.startsWith('A ')) after.add(row.slice(2));
    else assert.ok(after.delete(row.slice(2)), row);
  }
  return after;
}

function withoutServerGraphs(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.includes('<urn:x-pathpool:system> .'));
}

describe('the history of changes', () => {
  for (let seed = 1; seed <= 4; seed++) {
    it(`has the same events in the ring and on disk (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const disk = new SimDisk({ seed, shortReads: 0.01 });
      const changeFeed = newChangeFeed();
      const store = await openOn(disk, { ...CHECKPOINT_OFTEN, changeFeed });
      const states = new Map<number, string[]>([[0, []]]);
      for (let i = 0; i < 120; i++) {
        await store.commit([toTransaction(randomTransaction(random, () => 'none'))]);
        if (i % 10 === 0) await maintain(store, disk);
        states.set(store.opened().snapshot.sequence, withoutServerGraphs(contentOf(store)));
      }
      assert.ok((await disk.list('')).filter((name) => name.startsWith('changes-')).length > 3);
      const [files, ring] = [pagesInFiles(disk), pagesInRing(changeFeed)];
      const newest = store.opened().snapshot.sequence;
      for (let since = 0; since <= newest; since += 1 + Math.floor(random() * 20)) {
        for (const rows of [false, true]) {
          const { events } = await allChanges(files, store, { since, rows, subjects: SUBJECTS });
          assert.deepEqual(
            (await allChanges(ring, store, { since, rows, subjects: SUBJECTS })).events,
            events,
          );
          assert.deepEqual(
            events.map((event) => event.commit),
            Array.from({ length: newest - since }, (_, k) => since + 1 + k),
          );
        }
        const { events } = await allChanges(files, store, { since, rows: true });
        let lines: Set<string> = new Set(states.get(since));
        for (const [sequence, patch] of patchesOf(events)) {
          lines = apply(lines, patch);
          assert.deepEqual([...lines].sort(), states.get(sequence));
        }
      }
    });
  }

  it('counts what each commit adds to graphs and removes from them, in the order of names', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, CHECKPOINT_OFTEN);
    await commit(
      store,
      merge('urn:x:b', '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .'),
      merge('urn:x:a', '<urn:s> <urn:p> "é" .'),
    );
    await commit(store, drop('urn:x:b'));
    const { events } = await allChanges(pagesInFiles(disk), store, { rows: true });
    assert.deepEqual(
      events.map(({ graphs }) => graphs),
      [
        [
          { name: 'urn:x:a', added: 1, removed: 0 },
          { name: 'urn:x:b', added: 2, removed: 0 },
        ],
        [{ name: 'urn:x:b', added: 0, removed: 2 }],
      ],
    );
    assert.equal(patchOf(events[0]!.rows!).split('\n')[2], 'A <urn:s> <urn:p> "é" <urn:x:a> .');
  });

  it('never shows the rows of the server itself', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk);
    await commit(store, { kind: 'register', resource: 'http://example.org/r' });
    const { events } = await allChanges(pagesInFiles(disk), store, { rows: true });
    assert.deepEqual(
      events.map(({ commit, graphs, rows }) => [commit, graphs, patchOf(rows!)]),
      [[1, [], '']],
    );
  });

  it('has the rows of a big write in parts, before and after a checkpoint', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, CHECKPOINT_OFTEN);
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "before" .'));
    const values = Array.from(
      { length: 40_000 },
      (_, i) => `<urn:s> <urn:p> "value ${i} of many that are long" .`,
    );
    const result = await commitBig(store, disk, {
      preconditions: [],
      operations: [merge('urn:x:many', values.join('\n'))],
    });
    assert.ok(result.ok);
    const pages = pagesInFiles(disk);
    const before = await allChanges(pages, store, { rows: true });
    assert.ok(before.pages > 1);
    const parts = before.events.filter(({ commit }) => commit === 2).map(({ rows }) => rows!);
    assert.deepEqual(
      parts.map(({ part }) => part),
      parts.map((_, i) => i + 1),
    );
    assert.deepEqual(
      parts.filter(({ isLast }) => isLast),
      parts.slice(-1),
    );
    for (const patch of parts.map(patchOf)) assert.ok(patch.endsWith(' .\n') && patch.length <= 2 ** 20);
    while ((await maintain(store, disk)) !== 'nothing');
    assert.ok((await disk.list('')).some((name) => name.startsWith('changes-') && name.endsWith('.rows')));
    assert.deepEqual(await allChanges(pages, store, { rows: true }), before);
    // A reader in another thread continues within the commit, too.
    const { rows } = (
      await pagesInFiles(disk).page({ since: 1, part: 2, rows: true }, openSnapshot(store.snapshot))
    ).events[0]!;
    assert.deepEqual(rows, parts[2]);
  });

  it('returns what commits have changed together, or says that it is too much', async () => {
    const disk = new SimDisk({ seed: 1 });
    const changeFeed = newChangeFeed();
    const store = await openOn(disk, { ...CHECKPOINT_OFTEN, changeFeed });
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "2" .'));
    await commit(store, drop('urn:x:g'));
    for (const pages of [pagesInFiles(disk), pagesInRing(changeFeed)]) {
      const reader = openSnapshot(store.snapshot);
      const changed = async (from: number, to: number, maxQuads: number) => {
        const found = await pages.rowsBetween({ from, to, maxQuads }, reader);
        if (found === 'too-many') return found;
        const { bytes, offsets, rows } = found;
        const term = (n: number) => Buffer.from(bytes.slice(offsets[n], offsets[n + 1])).toString();
        for (let i = 3; i < rows.length; i += 4) assert.equal(term(rows[i]! % REMOVED), '<urn:x:g>');
        const starts = Array.from({ length: rows.length / 4 }, (_, i) => 4 * i);
        return starts.map((at) => [rows[at + 3]! >= REMOVED ? 'D' : 'A', term(rows[at + 2]!)].join(' '));
      };
      assert.deepEqual(await changed(0, 2, 2), ['A "1"', 'A "2"']);
      assert.equal(await changed(0, 2, 1), 'too-many');
      assert.deepEqual(await changed(1, 3, 2), ['D "1"']);
      assert.deepEqual(await changed(0, 3, 2), []);
      assert.deepEqual(await changed(3, 3, 2), []);
    }
  });

  it('says which position is the oldest, when one is not kept', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, { journalMax: 64 });
    for (const value of [1, 2]) await commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
    await maintain(store, disk);
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "3" .'));
    const pages = pagesInFiles(disk);
    const gone = { code: 'position-gone', details: { oldest: '2' } };
    await assert.rejects(allChanges(pages, store, { since: 1 }), gone);
    assert.deepEqual(
      (await allChanges(pages, store)).events.map((event) => event.commit),
      [3],
    );
  });
});
