import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Commits } from '../../src/changes/thread/commit-source.ts';
import { Pages } from '../../src/changes/thread/pages.ts';
import { TextRows } from '../../src/changes/thread/row-cursor.ts';
import type { SnapshotReader } from '../../src/snapshot/read/reader.ts';

const manyRows = Buffer.from('A <a:s> <a:p> <a:o> <a:g> .\n'.repeat(2 ** 17));

/** Five commits with many rows each. */
const commits = {
  async *after(since: number) {
    for (let sequence = since + 1; sequence <= 5; sequence++) {
      const rows = async function* () {
        yield new TextRows(manyRows);
      };
      yield { sequence, time: 0, rows };
    }
  },
} as unknown as Commits;

describe('a page of changes', () => {
  for (const rows of [false, true]) {
    it(`ends after many rows, even if they are of other graphs (rows: ${rows})`, async () => {
      const request = { since: 0, rows, graph: 'a:other' };
      const { events, end, isNewest } = await new Pages(commits).page(request, {
        sequence: 5,
      } as SnapshotReader);
      assert.deepEqual(
        events.map(({ commit }) => commit),
        [1, 2],
      );
      assert.deepEqual([end, isNewest], [{ since: 2, part: 0 }, false]);
    });
  }
});
