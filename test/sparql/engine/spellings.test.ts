import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { Spellings } from '../../../src/sparql/engine/spellings.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, drop, merge, openOn, replace } from '../../support/stores.ts';
import { expectedLines, linesIn, mirrorSettings, readerOf } from './mirrors.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

test('an image contains the spellings of current literals, in shared memory', async () => {
  const changeFeed = newChangeFeed({ rows: 64, commits: 8 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const literals = ['01', '1.50', '002'].map(
    (text, i) => `"${text}"^^<${XSD}${i === 1 ? 'decimal' : 'integer'}>`,
  );
  const [first, second, third] = literals as [string, string, string];
  await commit(store, merge('urn:g', `<urn:s> <urn:p> ${first} .\n<urn:s> <urn:p> ${second} .`));
  await commit(store, merge('urn:h', `<urn:s> <urn:p> ${third} .`));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  await commit(store, drop('urn:h'));
  assert.ok(mirror.follow(readerOf(store), changeFeed));
  const bytes = mirror.known.bytesFor(mirror.reader);
  assert.ok(bytes instanceof SharedArrayBuffer);
  const copied = Spellings.of(bytes);
  for (const literal of [first, second]) {
    const changed = mirror.known.changed(literal);
    assert.notEqual(changed, literal);
    assert.equal(copied.changed(literal), changed);
    assert.deepEqual(copied.written(changed), [literal]);
  }
  assert.equal(copied.changed(third), third);
  assert.ok(Spellings.of(new SharedArrayBuffer(0)).isEmpty);
  await store.close();
});

test('memory for spellings stays bounded while literals are added and removed', async () => {
  const together = 300;
  const changeFeed = newChangeFeed({ rows: 4096, commits: 8 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const literal = (n: number) => `"0${n}"^^<${XSD}integer>`;
  const triples = (from: number) =>
    Array.from({ length: together }, (_, i) => `<urn:s> <urn:p> ${literal(from + i)} .`).join('\n');
  await commit(store, merge('urn:kept', `<urn:s> <urn:p> ${literal(7)} .`));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  let most = 0;
  for (let round = 1; round <= 40; round++) {
    // Every third round restores the literals of two rounds before.
    const from = together * (round % 3 === 0 ? round - 2 : round);
    await commit(store, replace('urn:g', triples(from)));
    assert.ok(mirror.follow(readerOf(store), changeFeed));
    most = Math.max(most, mirror.known.size);
    assert.equal(mirror.spell(`"${from}"^^<${XSD}integer>`), literal(from));
    assert.equal(mirror.spell(`"7"^^<${XSD}integer>`), literal(7));
  }
  assert.ok(most <= 1_000 + 3 * together, `${most}`);
  assert.deepEqual(linesIn(mirror), expectedLines(mirror.reader, mirror));
  await store.close();
});

test('a commit does not cause a lookup of every known spelling', async () => {
  const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const triple = (n: number) => `<urn:s> <urn:p> "0${n}"^^<${XSD}integer> .`;
  await commit(store, merge('urn:g', Array.from({ length: 2_000 }, (_, n) => triple(n)).join('\n')));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  const image = mirror.image();
  assert.ok(image);
  await commit(store, merge('urn:g', triple(10_000)));
  const reader = readerOf(store);
  let lookups = 0;
  const find = reader.find.bind(reader);
  reader.find = (text) => {
    lookups++;
    return find(text);
  };
  assert.ok(mirror.follow(reader, changeFeed));
  const restored = Mirror.restore(image, reader, changeFeed, mirrorSettings);
  assert.deepEqual([mirror.known.size, restored?.known.size], [2_001, 2_001]);
  assert.ok(lookups < 100, `${lookups}`);
  await store.close();
});

test('a literal with a language is spelled as in the data, also after commits and from an image', async () => {
  const triples = (...objects: string[]) => objects.map((each) => `<urn:s> <urn:p> ${each} .`).join('\n');
  const changeFeed = newChangeFeed({ rows: 64, commits: 8 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  await commit(store, merge('urn:g', triples('"a"@en-US', '"b"@en-us', '"A"@de')));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  await commit(store, merge('urn:h', triples('"a"@EN-us', '"c"@zh-Hans')));
  assert.ok(mirror.follow(readerOf(store), changeFeed));
  const copied = Spellings.of(mirror.known.bytesFor(mirror.reader));
  for (const [asked, spelled] of [
    ['"a"@en-us', '"a"@en-US'],
    ['"b"@en-us', '"b"@en-us'],
    ['"c"@zh-hans', '"c"@zh-Hans'],
    ['"A"@de', '"A"@de'],
    ['"unknown"@en-us', '"unknown"@en-us'],
    ['"a@en-us"', '"a@en-us"'],
  ] as const) {
    assert.equal(mirror.spell(asked), spelled);
    assert.equal(copied.restore(asked, mirror.reader), spelled);
  }
  assert.equal(mirror.known.size, 0);
  assert.deepEqual(linesIn(mirror), expectedLines(mirror.reader, mirror));
  await store.close();
});
