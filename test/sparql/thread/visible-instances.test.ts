import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { VisibleInstances } from '../../../src/sparql/thread/visible-instances.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';
import { linesIn, mirrorSettings, readerOf } from '../engine/mirrors.ts';

const some = iriPatterns(['urn:a*', 'urn:b']);
const other = iriPatterns(['urn:hidden']);

/** A store that gets triples, and instances over it. `maxBytes`: for all of them together. */
async function fixture(maxBytes = mirrorSettings.maxBytes) {
  const changeFeed = newChangeFeed({ rows: 64, commits: 4 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  let fills = 0;
  const instances = new VisibleInstances({
    settings: { ...mirrorSettings, maxBytes },
    changeFeed,
    onFill: () => fills++,
    onProgress: () => {},
  });
  return {
    add: (graph: string, triple: string) => commit(store, merge(graph, `${triple} .`)),
    at: (patterns = some) => instances.for(patterns, readerOf(store)).mirror,
    fills: () => fills,
    drop: () => instances.drop(some),
    close: () => store.close(),
  };
}

describe('instances for clients that may not read all graphs', () => {
  it('have the visible graphs only, from the start and after commits', async () => {
    const { add, at, fills, close } = await fixture();
    await add('urn:a1', '<urn:s> <urn:p> "1"');
    await add('urn:hidden', '<urn:s> <urn:p> "1"');
    assert.equal(linesIn(at()).length, 1);
    await add('urn:hidden', '<urn:s> <urn:p> "2"');
    await add('urn:b', '<urn:s> <urn:p> "2"');
    // The hidden graph repeats both triples, which needs no merge.
    assert.equal(linesIn(at()).length, 2);
    assert.equal(at().isMerged, false);
    await add('urn:a2', '<urn:s> <urn:p> "2"');
    assert.equal(at().isMerged, true);
    assert.equal(linesIn(at()).filter((line) => line.includes('urn:hidden')).length, 0);
    assert.equal(fills(), 1);
    assert.equal(linesIn(at(other)).length, 2);
    assert.equal(fills(), 2);
    await close();
  });

  it('write a literal as the visible graphs do', async () => {
    const { add, at, close } = await fixture();
    const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>';
    await add('urn:hidden', `<urn:s> <urn:p> "7"${integer} .\n<urn:s> <urn:p> "x"@en-GB`);
    await add('urn:b', `<urn:s> <urn:p> "07"${integer} .\n<urn:s> <urn:p> "y"@en-GB`);
    assert.equal(at().spell(`"7"${integer}`), `"07"${integer}`);
    assert.equal(at().spell('"x"@en-gb'), '"x"@en-gb');
    assert.equal(at().spell('"y"@en-gb'), '"y"@en-GB');
    assert.equal(at(other).spell(`"7"${integer}`), `"7"${integer}`);
    await close();
  });

  it('are filled again when they lack commits or were dropped', async () => {
    const { add, at, fills, drop, close } = await fixture();
    await add('urn:b', '<urn:s> <urn:p> "0"');
    at();
    for (let n = 1; n < 9; n++) await add('urn:b', `<urn:s> <urn:p> "${n}"`);
    assert.equal(linesIn(at()).length, 9);
    drop();
    assert.equal(linesIn(at()).length, 9);
    assert.equal(fills(), 3);
    await close();
  });

  it('make room for one another, and fail if the visible graphs alone do not fit', async () => {
    const first = await fixture();
    const { bytes } = first.at();
    await first.close();
    const { add, at, fills, close } = await fixture(bytes + 100);
    await add('urn:b', '<urn:s> <urn:p> "0"');
    await add('urn:hidden', '<urn:s> <urn:p> "0"');
    for (const patterns of [some, some, other, some]) at(patterns);
    assert.equal(fills(), 3);
    await close();
    const tiny = await fixture(500);
    await tiny.add('urn:b', '<urn:s> <urn:p> "0" .\n<urn:s> <urn:p> "1"');
    assert.throws(() => tiny.at(), { code: 'sparql-unavailable' });
    await tiny.close();
  });
});
