import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from '../support/blocks.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../support/stores.ts';

const triple = (tag: string, subject = 's') => `<urn:${subject}> <urn:p> "a"@${tag} .`;

test('the first spelling of a language tag outlives checkpoints, merges of runs and restarts', async () => {
  const disk = new SimDisk({ seed: 1 });
  let store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge('urn:g', triple('en-US')));
  for (const [round, tag] of ['EN-us', 'en-us', 'EN-US'].entries()) {
    await commit(store, merge('urn:g', triple(tag)), merge('urn:h', triple(tag, `s${round}`)));
    await maintain(store, disk);
    if (round === 1) await commit(store, drop('urn:g'), merge('urn:i', triple(tag)));
    await store.close();
    store = await openOn(disk, { journalMax: 64 });
    const lines = contentOf(store);
    assert.ok(lines.length > 1 && lines.every((line) => line.includes('"a"@en-US')), lines.join(''));
  }
  const removals = blockOf(triple('eN-uS', 's1'));
  const before = contentOf(store).length;
  await commit(store, { kind: 'edit', graph: 'urn:h', additions: blockOf(''), removals });
  assert.equal(contentOf(store).length, before - 1);
  await store.close();
  assert.equal(contentOf(await openOn(disk)).length, before - 1);
});

test('a journal replays to the same spellings', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge('urn:g', `${triple('en')}\n${triple('De')}`));
  await commit(store, drop('urn:g'));
  await commit(store, merge('urn:g', `${triple('EN')}\n${triple('de')}`));
  const lines = contentOf(store);
  assert.equal(lines.length, 2);
  await store.close();
  assert.deepEqual(contentOf(await openOn(disk)), lines);
});
