import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { ownThread } from '../../../src/base/thread-priority.ts';
import type { Pool } from '../../../src/pool/pool.ts';
import { GRAPH, realPool, snapshotOf } from './real-pool.ts';

const info = { group: 'Importer', label: 'RDF import', detail: {} };

/** Counts the threads of this process that have a lower priority than the process. */
function lowPriorityThreads(): number {
  const usual = getPriority(process.pid);
  return readdirSync('/proc/self/task').filter((thread) => {
    try {
      return getPriority(Number(thread)) > usual;
    } catch {
      return false;
    }
  }).length;
}

/**
 * Parses a document of 200,000 triples. Returns the largest number of threads that ran at low
 * priority meanwhile.
 */
async function readBig(pool: Pool): Promise<number> {
  const lines = Array.from(
    { length: 100_000 },
    (_, i) => `<urn:s${i}> <urn:p> "value ${i}", <urn:o${i}> .\n`,
  );
  const body = new TextEncoder().encode(lines.join(''));
  let most = 0;
  let done = false;
  const parsed = pool
    .parse({ body, mediaType: 'text/turtle', gzip: false, baseIri: GRAPH }, info)
    .finally(() => {
      done = true;
    });
  while (!done) {
    most = Math.max(most, lowPriorityThreads());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const result = await parsed;
  assert.equal(result.ok && result.value.quads.length, 4 * 200_000);
  assert.equal(lowPriorityThreads(), 0);
  return most;
}

const snapshot = snapshotOf('<http://example.org/a> <http://example.org/p> "x" .');

test('a big document is parsed at low priority, and its thread regains its priority', {
  skip: ownThread() === undefined,
}, async (t) => {
  assert.equal(await readBig(realPool(t, snapshot)), 1);
});

test('nothing is parsed at low priority while other processes use the machine', {
  skip: ownThread() === undefined,
}, async (t) => {
  const pool = realPool(t, snapshot);
  pool.allowLowPriority(false);
  assert.equal(await readBig(pool), 0);
  pool.allowLowPriority(true);
  assert.equal(await readBig(pool), 1);
});
