import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';
import { checkLdp } from '../../../src/ldp/store/consistency-check.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { BaseOperation } from '../../../src/store/registry/base-operation.ts';
import { basesOfRoots, dependsOn, recordedBase } from '../../../src/store/registry/base-registry.ts';
import { contentOf as storedContent } from '../../../src/store/registry/resource-registry.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import {
  attempt,
  bytes,
  create,
  entryOf,
  graphNames,
  membership,
  sequenceOf,
} from '../../support/ldp-store.ts';
import { oracleLines } from '../../support/oxigraph-oracle.ts';
import { commit, contentOf, merge, openOn, orderedContentOf, replace } from '../../support/stores.ts';

const OLD = 'http://localhost:80';
const NEW = 'https://data.example.org/app';
const NUMBER = `${OLD}/types#number`;

function rename(from: string, base: string, forgets: readonly string[] = []): BaseOperation {
  return { kind: 'base', base, renames: from, forgets };
}

function record(base: string, forgets: readonly string[] = []): BaseOperation {
  return { kind: 'base', base, renames: null, forgets };
}

function reader(store: Store) {
  return openSnapshot(store.opened().snapshot);
}

function depends(store: Store, base: string): boolean {
  return dependsOn(reader(store), graphNames(store), base);
}

/** Resources of all kinds that have names of a base. */
async function fill(store: Store, base: string): Promise<void> {
  const root = `${base}/ldp`;
  await commit(store, record(base), { kind: 'ldp-root', target: root, label: 'Root' });
  await commit(store, create(`${root}/c`, { model: 'direct', configuration: membership(`${root}/m`) }));
  await commit(store, create(`${root}/m`, { body: `<${root}/m> <${base}/p> "1"^^<${base}/types#number> .` }));
  await commit(store, create(`${root}/c/b.png`, { content: bytes('a') }));
  await commit(store, create(`${root}/gone`), { kind: 'ldp-delete', target: `${root}/gone` });
  await commit(
    store,
    merge(`${base}/context/g`, `<${base}/resource/r> <urn:p> _:b .\n_:b <urn:p> <${base}> .`),
  );
  await commit(store, replace(`${base}/context/empty`, ''));
  await commit(store, { kind: 'register', resource: `${base}/resource/registered` });
  await commit(store, { kind: 'content', resource: `${base}/resource/r`, content: bytes('b') });
  await commit(
    store,
    merge('urn:x:others', `<urn:s> <urn:p> <${base}/context/g> .\n<urn:s> <urn:p> "${base}/x" .`),
  );
  await commit(store, merge('urn:x:others', `<${base}80/x> <urn:p> <urn:${base}/x> .`));
}

async function filled(disk = new SimDisk({ seed: 1 })): Promise<Store> {
  const store = await openOn(disk);
  await fill(store, OLD);
  return store;
}

/** What the quads should be with other names, but for numbers of commits. */
function renamed(lines: readonly string[], from: string, to: string): string[] {
  const named = new RegExp(`<${from.replaceAll('.', '\\.')}(?=[/#?>])`, 'g');
  return lines.map((line) => line.replaceAll(named, `<${to}`)).sort();
}

/** Without the base, and without the numbers of commits that change with the names. */
function withoutNumbers(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !line.includes('<urn:x-pathpool:base>'))
    .map((line) => line.replace(/(<urn:x-pathpool:ldp> "\w[\w-]* )\w+ /, '$1'))
    .sort();
}

test('every name that begins with the old base begins with the new one, and nothing else changes', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await filled(disk);
  const before = contentOf(store);
  const graphs = graphNames(store).sort();
  await commit(store, rename(OLD, NEW));
  assert.deepEqual(withoutNumbers(contentOf(store)), withoutNumbers(renamed(before, OLD, NEW)));
  assert.ok(contentOf(store).some((line) => line.includes(`"1"^^<${NUMBER.replace(OLD, NEW)}>`)));
  assert.deepEqual(
    graphNames(store).sort(),
    graphs.map((name) => (name.startsWith(`${OLD}/`) ? NEW + name.slice(OLD.length) : name)).sort(),
  );
  assert.equal((await oracleLines(disk)).length, contentOf(store).length);
  assert.equal(recordedBase(reader(store)), NEW);
  assert.equal(depends(store, OLD), false);
  assert.deepEqual(checkLdp(reader(store)), []);
  const again = await openOn(disk);
  assert.equal(orderedContentOf(again), orderedContentOf(store));
  assert.deepEqual(new Map(again.opened().graphs), new Map(store.opened().graphs));
});

test('a name continues its base with a slash, a question mark or a number sign', async () => {
  for (const sign of ['?', '#', '/']) {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk);
    await commit(store, record(OLD), { kind: 'ldp-root', target: `${OLD}/ldp`, label: 'Root' });
    assert.equal(depends(store, OLD), false);
    await commit(store, replace(`${OLD}${sign}empty`, ''), replace(`${OLD}80${sign}empty`, ''));
    assert.equal(depends(store, OLD), true, sign);
    await commit(store, merge(`${OLD}${sign}full`, `<${OLD}${sign}s> <urn:p> "1" .`));
    await commit(store, rename(OLD, NEW));
    const expected = [`${NEW}${sign}empty`, `${NEW}${sign}full`, `${OLD}80${sign}empty`];
    const named = (name: string) => expected.includes(name) || name.startsWith(OLD);
    assert.deepEqual(graphNames(store).filter(named).sort(), expected.sort());
    const again = await openOn(disk);
    assert.deepEqual(new Map(again.opened().graphs), new Map(store.opened().graphs));
  }
});

test('two graphs whose names differ only in the base before a question mark or number sign are never merged', async () => {
  for (const name of ['?x', '#x']) {
    for (const [own, other] of [
      [merge(`${OLD}${name}`, '<urn:s> <urn:p> "1" .'), merge(`${NEW}${name}`, '<urn:s> <urn:p> "2" .')],
      [replace(`${OLD}${name}`, ''), merge(`${NEW}${name}`, '<urn:s> <urn:p> "2" .')],
      [merge(`${OLD}${name}`, '<urn:s> <urn:p> "1" .'), replace(`${NEW}${name}`, '')],
    ] as const) {
      const store = await openOn(new SimDisk({ seed: 1 }));
      await commit(store, record(OLD), own, other);
      const before = contentOf(store);
      assert.equal(await refusalOf(store, rename(OLD, NEW)), 'bad-arguments');
      assert.deepEqual(contentOf(store), before);
    }
  }
});

test('kinds and tombstones of resources move to the new names, with new states', async () => {
  const store = await filled();
  const before = sequenceOf(store, `${OLD}/ldp/m`);
  await commit(store, rename(OLD, NEW));
  assert.ok(sequenceOf(store, `${NEW}/ldp/m`) > before);
  assert.equal(entryOf(store, `${NEW}/ldp/gone`), 'gone');
  assert.equal(entryOf(store, `${OLD}/ldp/m`), undefined);
  const binary = reader(store).find(`<${NEW}/ldp/c/b.png>`);
  assert.equal(storedContent(reader(store), binary)?.digest, bytes('a').digest);
  assert.equal(await attempt(store, create(`${NEW}/ldp/gone`)), 'gone');
  assert.equal(await attempt(store, create(`${NEW}/ldp/c/next`)), 'done');
});

test('a membership triple of several children is removed with the last of them', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const root = `${OLD}/ldp`;
  await commit(store, record(OLD), { kind: 'ldp-root', target: root, label: 'Root' });
  const configuration = membership(`${root}/m`, { insertedContentRelation: 'urn:x:about' });
  await commit(store, create(`${root}/c`, { model: 'indirect', configuration }));
  for (const name of ['one', 'two']) {
    const uri = `${root}/c/${name}`;
    await commit(store, create(uri, { body: `<${uri}> <urn:x:about> <${OLD}/thing> .` }));
  }
  await commit(store, rename(OLD, NEW));
  const hasMember = () =>
    contentOf(store).some((line) => line.startsWith(`<${NEW}/ldp/m> <${ldp.member}> <${NEW}/thing>`));
  assert.equal(hasMember(), true);
  await commit(store, { kind: 'ldp-delete', target: `${NEW}/ldp/c/one` });
  assert.equal(hasMember(), true);
  await commit(store, { kind: 'ldp-delete', target: `${NEW}/ldp/c/two` });
  assert.equal(hasMember(), false);
  assert.ok(!contentOf(store).some((line) => line.includes('ldpMembership')));
});

for (const [from, to] of [
  ['http://h', 'http://h/a'],
  ['http://h/a', 'http://h'],
] as const) {
  test(`one of two bases may contain the other: ${from} to ${to}`, async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk);
    await commit(store, record(from), { kind: 'ldp-root', target: `${from}/ldp`, label: 'Root' });
    await commit(store, replace(`${from}/e`, ''), replace(`${from}/a/e`, ''));
    for (const path of ['', '/a', '/a/a', '/g']) {
      await commit(store, merge(`${from}${path}`, `<${from}${path}> <${from}/a> <${from}/a/a> .`));
    }
    const before = contentOf(store);
    await commit(store, rename(from, to));
    assert.deepEqual(withoutNumbers(contentOf(store)), withoutNumbers(renamed(before, from, to)));
    assert.ok(['/e', '/a/e'].every((path) => graphNames(store).includes(to + path)));
    assert.equal((await oracleLines(disk)).length, contentOf(store).length);
    const again = await openOn(disk);
    assert.deepEqual(contentOf(again), contentOf(store));
    assert.deepEqual(new Map(again.opened().graphs), new Map(store.opened().graphs));
  });
}

test('nothing is renamed if two names would become equal', async () => {
  const store = await filled();
  await commit(store, replace(`${NEW}/context/empty`, ''));
  const before = contentOf(store);
  assert.equal(await refusalOf(store, rename(OLD, NEW)), 'bad-arguments');
  assert.deepEqual(contentOf(store), before);
  const other = await filled();
  await commit(other, { kind: 'register', resource: `${NEW}/resource/registered` });
  assert.equal(await refusalOf(other, rename(OLD, NEW)), 'bad-arguments');
  assert.equal(recordedBase(reader(other)), OLD);
});

async function refusalOf(store: Store, operation: BaseOperation): Promise<string> {
  const [result] = (await store.commit([{ preconditions: [], operations: [operation] }])).results;
  return result?.ok ? 'done' : (result?.error.code ?? '');
}

test('no data depend on the base of an unused root, which can be removed', async () => {
  const store = await filled();
  const before = contentOf(store);
  await commit(store, { kind: 'ldp-root', target: `${NEW}/ldp`, label: 'Root' });
  assert.deepEqual(basesOfRoots(reader(store)).sort(), [NEW, OLD].sort());
  assert.deepEqual([depends(store, OLD), depends(store, NEW)], [true, false]);
  assert.equal(depends(store, 'http://localhost:8'), false);
  await commit(store, record(OLD, [NEW]));
  assert.deepEqual(contentOf(store), before);
  await commit(store, { kind: 'ldp-root', target: `${NEW}/ldp`, label: 'Root' });
  await commit(store, rename(OLD, NEW, [NEW]));
  assert.deepEqual(withoutNumbers(contentOf(store)), withoutNumbers(renamed(before, OLD, NEW)));
});

test('a power cut at any step of a change leaves all names old, or all new', async () => {
  for (let step = 0, crashed = true; crashed; step++) {
    const disk = new SimDisk({ seed: step });
    const store = await filled(disk);
    const old = contentOf(store);
    disk.crashAfter(step);
    await store.commit([{ preconditions: [], operations: [rename(OLD, NEW)] }]);
    crashed = disk.crashed;
    disk.restart();
    const again = await openOn(disk);
    const base = recordedBase(reader(again));
    if (base === OLD) assert.deepEqual(contentOf(again), old, `step ${step}`);
    else
      assert.deepEqual(
        withoutNumbers(contentOf(again)),
        withoutNumbers(renamed(old, OLD, NEW)),
        `step ${step}`,
      );
    assert.ok(crashed || base === NEW);
    assert.deepEqual([depends(again, OLD), depends(again, NEW)], [base === OLD, base === NEW]);
  }
});
