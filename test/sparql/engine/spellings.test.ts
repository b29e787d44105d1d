import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newChangeFeed } from '../../../src/snapshot/change-feed.ts';
import { Mirror } from '../../../src/sparql/engine/mirror.ts';
import { Spellings } from '../../../src/sparql/engine/spellings.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, drop, merge, openOn } from '../../support/stores.ts';
import { mirrorSettings, readerOf } from './mirrors.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

test('an image has the spellings of literals that are still there, in shared memory', async () => {
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
