import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LdpPatchRequest, Pool } from '../../../src/pool/pool.ts';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { blockLines, creation, ROOT, Space, turtle } from '../../ldp/pool/space.ts';
import { realPool } from './real-pool.ts';

const info = { group: 'LDP', label: 'test', detail: {} };
const everything = { minimal: true, containment: true, membership: true };

async function spaceWithChildren(count: number): Promise<Space> {
  const space = await Space.open();
  await space.create('c', { model: 'basic', body: '<> <http://example.org/title> "C" .' });
  const children = Array.from({ length: count }, (_, index) => `${ROOT}/c/${index}`);
  await space.commit(...children.map((uri) => creation(uri, 'rdf-source', undefined, turtle('', uri))));
  return space;
}

function patch(snapshot: SnapshotDescriptor, target: string, text: string): LdpPatchRequest {
  const body = new Uint8Array(Buffer.from(text));
  return { snapshot, target, body, mediaType: 'application/sparql-update', gzip: false, maxBytes: 1 << 20 };
}

async function wholeOf(pool: Pool, snapshot: SnapshotDescriptor, uri: string, mediaType: string) {
  const result = await pool.serialize({ snapshot, source: { ldp: uri, parts: everything }, mediaType }, info);
  assert.ok(result.ok);
  if (result.value instanceof Uint8Array) return Buffer.from(result.value).toString();
  const chunks: Uint8Array[] = [];
  // A chunk is valid until the next one is requested.
  for await (const chunk of result.value) chunks.push(chunk.slice());
  return Buffer.concat(chunks).toString();
}

test('a short representation is sent as a whole, a long one as a stream, in every format', async (t) => {
  const space = await spaceWithChildren(3_000);
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot);
  const source = { ldp: `${ROOT}/c`, parts: { ...everything, containment: false } };
  const short = await pool.readRepresentation({ snapshot, source, mediaType: 'text/turtle' }, info);
  assert.ok(short.ok && short.value);
  assert.match(Buffer.from(short.value).toString(), /"C"/);
  const long = await pool.readRepresentation(
    { snapshot, source: { ...source, parts: everything }, mediaType: 'text/turtle' },
    info,
  );
  assert.deepEqual(long, { ok: true, value: null });
  for (const mediaType of [
    'text/turtle',
    'application/ld+json',
    'application/rdf+xml',
    'application/rdf+json',
  ]) {
    const text = await wholeOf(pool, snapshot, `${ROOT}/c`, mediaType);
    assert.equal(text.split(`/c/`).length - 1, 3_000, mediaType);
    if (mediaType.endsWith('json')) JSON.parse(text);
  }
});

test('a body is parsed in a pool thread, with the resource as its base', async (t) => {
  const space = await Space.open();
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot);
  const request = {
    snapshot,
    target: `${ROOT}/new`,
    purpose: { kind: 'create', model: null, defaultModel: 'rdf-source' } as const,
    mediaType: 'text/turtle',
    gzip: false,
  };
  const read = (text: string) =>
    pool.readLdpBody({ ...request, body: new Uint8Array(Buffer.from(text)) }, info);
  const result = await read('<> <#p> <x> .');
  assert.ok(result.ok);
  assert.deepEqual(blockLines(result.value.block), [`<${ROOT}/new> <${ROOT}/new#p> <${ROOT}/x>`]);
  const broken = await read('<> <#p>\n .');
  assert.ok(!broken.ok);
  assert.deepEqual([broken.error.code, broken.error.details.line], ['parse-error', 2]);
  const rejected = await read('<> <http://www.w3.org/ns/ldp#contains> <x> .');
  assert.ok(!rejected.ok);
  assert.deepEqual(rejected.error.details.properties, ['http://www.w3.org/ns/ldp#contains']);
});

test('a small body that takes long to parse becomes a heavy job for every purpose', async (t) => {
  const space = await Space.open();
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot);
  await space.create('c', { model: 'basic', body: '<> <http://example.org/title> "C" .' });
  const prefix = `PREFIX p: <http://e/${'x'.repeat(3_000)}>`;
  const document = new Uint8Array(Buffer.from(`${prefix}\n${'p:a p:b p:c .\n'.repeat(100)}`));
  const mediaType = 'text/turtle';
  const parsed = await pool.parse({ body: document.slice(), mediaType, gzip: false, baseIri: ROOT }, info);
  assert.equal(parsed.ok && parsed.value.quads.length, 400);
  const purpose = { kind: 'create', model: null, defaultModel: 'rdf-source' } as const;
  const target = `${ROOT}/new`;
  const body = document.slice();
  const read = await pool.readLdpBody({ snapshot, target, purpose, mediaType, gzip: false, body }, info);
  assert.equal(read.ok && blockLines(read.value.block).length, 100);
  const lines = `@${prefix.replace('PREFIX', 'prefix')} .\n${'A <> p:b p:c .\n'.repeat(100)}`;
  const request = {
    ...patch(space.store.opened().snapshot, `${ROOT}/c`, lines),
    mediaType: 'application/rdf-patch',
  };
  const patched = await pool.readLdpPatch(request, info);
  assert.equal(patched.ok && blockLines(patched.value.additions).length, 1, JSON.stringify(patched));
  assert.equal(pool.statistics().parse.runningTimes.count, 6);
});

test('a fast patch runs immediately, and a slow one becomes a heavy job', async (t) => {
  const space = await spaceWithChildren(1_500);
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot);
  const title = 'http://example.org/title';
  const texts = [
    `DELETE DATA { <> <${title}> "C" } ; INSERT DATA { <> <${title}> "D" }`,
    `DELETE { <> <${title}> ?t } INSERT { <> <${title}> "D" } WHERE { <> <${title}> ?t }`,
  ];
  for (const text of texts) {
    const result = await pool.readLdpPatch(patch(snapshot, `${ROOT}/c`, text), info);
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual(blockLines(result.value.additions), [`<${ROOT}/c> <${title}> "D"`]);
    assert.deepEqual(blockLines(result.value.removals), [`<${ROOT}/c> <${title}> "C"`]);
  }
});

test('a runaway patch ends with time-limit, and other jobs complete meanwhile', async (t) => {
  const space = await spaceWithChildren(200);
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot, { evaluationMs: 5_000, graceMs: 100 });
  const small = () => pool.readLdpPatch(patch(snapshot, `${ROOT}/c`, 'INSERT DATA { <> <x:p> 1 }'), info);
  // After this, both threads have loaded their code.
  await Promise.all([small(), small()]);
  const endless =
    '{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(CONCAT(STR(?a), STR(?d), STR(?g), STR(?j)) = "") }';
  const running = pool.readLdpPatch(
    patch(snapshot, `${ROOT}/c`, `DELETE { ?a ?b ?c } WHERE ${endless}`),
    info,
  );
  let ended = false;
  void running.then(() => {
    ended = true;
  });
  for (let i = 0; i < 5; i++) {
    const fast = await small();
    assert.ok(fast.ok, JSON.stringify(fast));
    const evaluated = await pool.evaluate({ mode: 'path', source: '.', start: `${ROOT}/c`, known: true });
    assert.ok(evaluated.ok, JSON.stringify(evaluated));
  }
  assert.equal(ended, false);
  const result = await running;
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'time-limit');
  assert.ok((await small()).ok);
});

test('a patch that needs too much memory is rejected, and its thread stays in use', async (t) => {
  const space = await spaceWithChildren(1_500);
  const { snapshot } = space.store.opened();
  // Longer than it takes on a machine that has much other work.
  const pool = realPool(t, snapshot, { evaluationMs: 300_000 });
  const text = 'INSERT { ?a <x:q> ?f } WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }';
  const result = await pool.readLdpPatch(patch(snapshot, `${ROOT}/c`, text), info);
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'too-large');
  assert.ok((await pool.readLdpPatch(patch(snapshot, `${ROOT}/c`, 'DELETE WHERE { <> <x:p> ?x }'), info)).ok);
});

test('a patch body that decompresses beyond its limit is rejected', async (t) => {
  const space = await Space.open();
  const { snapshot } = space.store.opened();
  const pool = realPool(t, snapshot);
  const request = { ...patch(snapshot, ROOT, 'INSERT DATA { <> <x:p> 1 }'), maxBytes: 10 };
  const result = await pool.readLdpPatch(request, info);
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'too-large');
});
