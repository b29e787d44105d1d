import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DocumentJob } from '../../../src/pool/messages.ts';
import type { ParseRequest } from '../../../src/pool/pool.ts';
import { TaskBoard } from '../../../src/pool/tasks/board.ts';
import { CurrentStep } from '../../../src/pool/worker/current-step.ts';
import { DocumentRunner } from '../../../src/pool/worker/small-documents.ts';
import { GRAPH, realPool, snapshotOf } from './real-pool.ts';

const importInfo = { group: 'Importer', label: 'RDF import', detail: {} };
const exportInfo = { group: 'Exporter', label: 'RDF export', detail: {} };
const small = snapshotOf('<http://example.org/a> <http://example.org/p> "x" .');

function document(body: Uint8Array, gzip = false): ParseRequest {
  return { body, mediaType: 'text/turtle', gzip, baseIri: GRAPH };
}

function turtle(triples: number): Uint8Array<ArrayBuffer> {
  const lines = Array.from({ length: triples }, (_, i) => `<#s${i}> <#p> "value ${i}" .\n`);
  return new TextEncoder().encode(lines.join(''));
}

test('a document is parsed into a block, gzipped or not', async (t) => {
  const pool = realPool(t, small);
  for (const request of [document(turtle(1000)), document(gzipSync(turtle(1000)), true)]) {
    const result = await pool.parse(request, importInfo);
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.value.quads.length, 4000);
  }
});

test('parsing a part of a larger buffer does not transfer the buffer', async (t) => {
  const pool = realPool(t, small);
  const whole = new Uint8Array([...turtle(1), ...new TextEncoder().encode('rest')]);
  const result = await pool.parse(document(whole.subarray(0, -4)), importInfo);
  assert.ok(result.ok);
  assert.equal(new TextDecoder().decode(whole.subarray(-4)), 'rest');
});

test('a document that decompresses beyond the limit is too large', async (t) => {
  const pool = realPool(t, small, { documentBytes: 10_000 });
  const bomb = await pool.parse(document(gzipSync(new Uint8Array(1_000_000)), true), importInfo);
  assert.equal(!bomb.ok && bomb.error.code, 'too-large');
  const plain = await pool.parse(document(turtle(1000)), importInfo);
  assert.equal(!plain.ok && plain.error.code, 'too-large');
});

test('an invalid document is rejected with a position, and invalid gzip without one', async (t) => {
  const pool = realPool(t, small);
  const text = new TextEncoder().encode('<#a> <#b> .\n');
  const result = await pool.parse(document(text), importInfo);
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'parse-error');
  assert.equal(result.error.details.line, 1);
  const gzip = await pool.parse(document(turtle(1), true), importInfo);
  assert.equal(!gzip.ok && gzip.error.code, 'parse-error');
});

test('a parse stops at its time limit', async (t) => {
  const pool = realPool(t, small, { parseMs: 1, graceMs: 60_000 });
  const result = await pool.parse(document(turtle(200_000)), importInfo);
  assert.equal(!result.ok && result.error.code, 'time-limit');
});

test('a small graph is sent as a whole', async (t) => {
  const pool = realPool(t, small);
  const result = await pool.serialize(
    { snapshot: small, source: { graph: GRAPH }, mediaType: 'application/n-triples' },
    exportInfo,
  );
  assert.ok(result.ok && result.value instanceof Uint8Array);
  assert.equal(
    new TextDecoder().decode(result.value),
    '<http://example.org/a> <http://example.org/p> "x" .\n',
  );
});

test('an unknown graph is serialised as an empty one', async (t) => {
  const pool = realPool(t, small);
  const result = await pool.serialize(
    { snapshot: small, source: { graph: 'http://example.org/none' }, mediaType: 'application/n-triples' },
    exportInfo,
  );
  assert.ok(result.ok && result.value instanceof Uint8Array);
  assert.equal(result.value.length, 0);
});

test('a big graph is sent in chunks that together are complete', async (t) => {
  const big = snapshotOf(new TextDecoder().decode(turtle(20_000)));
  const pool = realPool(t, big);
  const result = await pool.serialize(
    { snapshot: big, source: { graph: GRAPH }, mediaType: 'application/n-triples' },
    exportInfo,
  );
  assert.ok(result.ok && !(result.value instanceof Uint8Array));
  const chunks: Buffer[] = [];
  for await (const chunk of result.value) chunks.push(Buffer.from(chunk));
  assert.ok(chunks.length > 4);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  assert.equal(new Set(lines).size, 20_000);
});

test('an unknown format is rejected', async (t) => {
  const pool = realPool(t, small);
  const result = await pool.serialize(
    { snapshot: small, source: { graph: GRAPH }, mediaType: 'text/plain' },
    exportInfo,
  );
  assert.equal(!result.ok && result.error.code, 'not-acceptable');
});

test('each document that is sent together with others starts without progress', () => {
  const board = TaskBoard.forThreads(1);
  const step = new CurrentStep(board);
  const begun: [current: number, progress: number, total: number][] = [];
  const job: DocumentJob = {
    kind: 'parse',
    body: new Uint8Array(0),
    mediaType: 'text/turtle',
    gzip: false,
    baseIri: GRAPH,
    maxBytes: 1000,
    brief: false,
    slot: 0,
  };
  new DocumentRunner(step).run({ kind: 'documents', documents: [job, job], slot: 0 }, () => {
    begun.push([board.current(0), board.progress(0), board.total(0)]);
    step.report(60, 100);
    return null;
  });
  assert.deepEqual(begun, [
    [0, 0, 0],
    [1, 0, 0],
  ]);
});
