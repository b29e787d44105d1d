import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { restoreImage } from '../../../src/sparql/thread/memory-image.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, drop, merge, openOn } from '../../support/stores.ts';
import { expectedLines, linesIn, mirrorSettings, quadsOf, readerOf, UNNAMED } from '../engine/mirrors.ts';

const CSV = { results_format: 'text/csv' };
const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>';
const triples = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `<urn:s${from + i}> <urn:p> "0${i}"${integer} .\n`).join('');

async function opened() {
  const changeFeed = newChangeFeed({ rows: 4096, commits: 16 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  await commit(store, merge('urn:g', `${triples(0, 900)}_:a <urn:p> _:b .`), merge(UNNAMED, triples(0, 1)));
  return { store, changeFeed };
}

test('an instance from an image, and every copy, contains the snapshot and all later commits', async () => {
  const { store, changeFeed } = await opened();
  let image = Mirror.fill(readerOf(store), mirrorSettings).image();
  for (let round = 0; round < 3; round++) {
    assert.ok(image);
    await commit(store, merge('urn:g', triples(1000 * round, 1000 * round + 5)), drop('urn:h'));
    await commit(store, merge('urn:h', '_:c <urn:p> "text"@en .'));
    const reader = readerOf(store);
    const mirror = Mirror.restore(image, reader, changeFeed, mirrorSettings);
    assert.ok(mirror);
    assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
    for (const [, , object] of quadsOf(reader)) assert.equal(mirror.spell(object!), object);
    image = mirror.image();
    assert.equal(mirror.store.query('ASK { ?s ?p ?o }', { use_default_graph_as_union: true }), true);
    assert.throws(() => mirror.store.query('nonsense'), /expected/);
    assert.equal(mirror.store.match(null, null, null, null).length, mirror.store.size);
    mirror.store.update('INSERT DATA { <urn:a> <urn:b> <urn:c> }');
    assert.equal(mirror.store.query('SELECT ?o { <urn:a> <urn:b> ?o }', CSV), 'o\r\nurn:c\r\n');
  }
  await store.close();
});

test('instances from one image create distinct blank nodes', async () => {
  const { store, changeFeed } = await opened();
  const reader = readerOf(store);
  const image = Mirror.fill(reader, mirrorSettings).image()!;
  const names = [0, 1, 2].map(() => {
    const mirror = Mirror.restore(image, reader, changeFeed, mirrorSettings)!;
    return mirror.store.query('SELECT (UUID() AS ?u) (BNODE() AS ?b) (RAND() AS ?r) {}', CSV);
  });
  assert.equal(
    new Set(
      names.flatMap((text) =>
        String(text)
          .split(/[\r\n,]+/)
          .slice(3, 6),
      ),
    ).size,
    9,
  );
  await store.close();
});

test('a damaged or outdated image is rejected', async () => {
  const { store, changeFeed } = await opened();
  const image = Mirror.fill(readerOf(store), mirrorSettings).image()!;
  const { maxBytes } = mirrorSettings;
  assert.ok(restoreImage(image.memory, maxBytes));
  assert.equal(restoreImage({ ...image.memory, size: 1 }, maxBytes), undefined);
  assert.equal(restoreImage(image.memory, image.memory.memory.byteLength - 1), undefined);
  for (let i = 0; i < 17; i++) await commit(store, merge('urn:g', `<urn:s> <urn:p> "${i}" .`));
  assert.equal(Mirror.restore(image, readerOf(store), changeFeed, mirrorSettings), undefined);
  await store.close();
});
