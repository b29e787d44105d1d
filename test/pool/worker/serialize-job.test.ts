import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../../src/pool/pool.ts';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { GRAPH, realPool, snapshotOf } from './real-pool.ts';

const info = { group: 'Exporter', label: 'RDF export', detail: {} };
/** Rows of a graph of about five chunks, which a thread produces even if none is read. */
const ROWS = 16_000;

function turtle(): string {
  return Array.from({ length: ROWS }, (_, i) => `<urn:x:subject-${i}> <urn:x:p> "the value ${i}" .\n`).join(
    '',
  );
}

async function open(pool: Pool, snapshot: SnapshotDescriptor, mediaType: string) {
  const document = await pool.serialize({ snapshot, source: { graph: GRAPH }, mediaType }, info);
  assert.ok(document.ok && !(document.value instanceof Uint8Array));
  return document.value[Symbol.asyncIterator]();
}

/** Reads the rest of a document. */
async function rest(chunks: AsyncIterator<Uint8Array>): Promise<string> {
  let text = '';
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    text += Buffer.from(next.value).toString('latin1');
  }
  return text;
}

test("the unread part of a slow client's document is not overwritten by other documents", async (t) => {
  const snapshot = snapshotOf(turtle());
  const pool = realPool(t, snapshot);
  const whole = await rest(await open(pool, snapshot, 'application/n-triples'));
  assert.equal(whole, turtle());
  for (let taken = 1; taken <= 3; taken++) {
    const slow = await open(pool, snapshot, 'application/n-triples');
    let read = '';
    let last: Uint8Array = new Uint8Array(0);
    for (let i = 0; i < taken; i++) {
      read += Buffer.from(last).toString('latin1');
      last = (await slow.next()).value;
    }
    for (let i = 0; i < 4; i++) {
      const other = await rest(await open(pool, snapshot, 'application/n-quads'));
      assert.equal(other, whole.replaceAll(' .\n', ` <${GRAPH}> .\n`));
    }
    read += Buffer.from(last).toString('latin1');
    assert.ok(read + (await rest(slow)) === whole, `after ${taken} chunks`);
  }
});
