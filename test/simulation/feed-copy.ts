import assert from 'node:assert/strict';
import type { SnapshotDescriptor } from '../../src/snapshot/descriptor.ts';
import { ChangeFeedReader } from '../../src/snapshot/feed/change-feed.ts';
import { MergedScan } from '../../src/snapshot/runs/merged-scan.ts';
import { BY_SUBJECT, REMOVED } from '../../src/snapshot/runs/order.ts';
import { Runs } from '../../src/snapshot/runs/runs.ts';

/** A copy of a store's quads, in ids, that follows its change feed. */
export class FeedCopy {
  readonly #buffer: SharedArrayBuffer;
  #reader: ChangeFeedReader | undefined;
  #quads = new Set<string>();

  constructor(buffer: SharedArrayBuffer) {
    this.#buffer = buffer;
  }

  /** Follows the feed up to a snapshot, and compares; or starts with the snapshot. */
  verify(snapshot: SnapshotDescriptor): void {
    const expected = quadsOf(snapshot);
    if (!this.#follow(snapshot.sequence)) {
      const { sequence, dictionary } = snapshot;
      this.#reader = new ChangeFeedReader(this.#buffer, sequence, dictionary.generation);
      this.#quads = expected;
    }
    assert.deepEqual(this.#quads, expected);
  }

  /** Returns false if commits are no longer in the feed. */
  #follow(sequence: number): boolean {
    while (this.#reader && this.#reader.sequence < sequence) {
      const rows = this.#reader.next();
      assert.ok(rows, 'the feed has every commit of the snapshot');
      if (rows === 'lost') return false;
      this.#apply(rows);
    }
    return this.#reader !== undefined;
  }

  #apply(rows: Uint32Array): void {
    for (let i = 0; i < rows.length; i += 4) {
      const graph = rows[i + 3]!;
      const quad = `${rows[i]} ${rows[i + 1]} ${rows[i + 2]} ${(graph & ~REMOVED) >>> 0}`;
      if (graph & REMOVED) assert.ok(this.#quads.delete(quad), `${quad} was not there`);
      else {
        assert.ok(!this.#quads.has(quad), `${quad} was there`);
        this.#quads.add(quad);
      }
    }
  }
}

function quadsOf(snapshot: SnapshotDescriptor): Set<string> {
  const scan = new MergedScan(new Runs(snapshot)).start(BY_SUBJECT, 0);
  const quads = new Set<string>();
  while (scan.next()) quads.add(`${scan.a} ${scan.b} ${scan.c} ${scan.d}`);
  return quads;
}
