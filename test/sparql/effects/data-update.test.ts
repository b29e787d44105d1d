import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LengthyDocumentError } from '../../../src/rdf/formats/unfolding-budget.ts';
import { namedGraphs } from '../../../src/rdf/model/named-graphs.ts';
import { LDP_GRAPH, SYSTEM_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { dataEffects } from '../../../src/sparql/effects/data-update.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, contentOf, merge, openOn } from '../../support/stores.ts';
import { commitEffects, defaultGraph, effectsOf, graphsOf, requestOf, settings, update } from '../updates.ts';

const g = 'urn:g';
const h = 'urn:h';
const row = (o: string, graph: string) => `<urn:s> <urn:p> ${o} <${graph}> .`;
const integer = (written: string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;

async function storeWith(...rows: readonly (readonly [graph: string, object: string])[]) {
  const store = await openOn(new SimDisk({ seed: 1 }));
  for (const [graph, object] of rows) await commit(store, merge(graph, `<urn:s> <urn:p> ${object} .`));
  return store;
}

const hasCode = (code: string) => (error: Error & { code?: string }) => error.code === code;

test('INSERT DATA preserves the lexical form of literals, and writes to the default context without GRAPH', async () => {
  const store = await storeWith([g, integer('1')]);
  const done = await update(
    store,
    'INSERT DATA { <urn:s> <urn:p> 01, 1 . GRAPH <urn:g> { <urn:s> <urn:p> 01, 1 } }',
  );
  assert.deepEqual(done, { added: 3, removed: 0 });
  const expected = [row(integer('01'), defaultGraph), row(integer('1'), defaultGraph)];
  assert.deepEqual(contentOf(store), [...expected, row(integer('01'), g), row(integer('1'), g)].sort());
});

test('INSERT DATA creates new blank nodes, one for each label of an operation', async () => {
  const store = await storeWith();
  await update(store, 'INSERT DATA { _:a <urn:p> _:a, _:b, [] }; INSERT DATA { _:c <urn:p> _:c }');
  const rows = contentOf(store).map((line) => line.split(' '));
  const loops = rows.filter(([subject, , object]) => subject === object);
  assert.equal(rows.length, 4);
  assert.equal(loops.length, 2);
  assert.equal(new Set(rows.flatMap(([subject, , object]) => [subject, object])).size, 4);
});

test('DELETE DATA removes exactly the triples that it lists', async () => {
  const store = await storeWith([g, integer('1')], [g, integer('01')], [h, integer('01')]);
  await update(store, 'DELETE DATA { GRAPH <urn:g> { <urn:s> <urn:p> 01 } }');
  assert.deepEqual(contentOf(store), [row(integer('1'), g), row(integer('01'), h)].sort());
});

test('DELETE DATA without GRAPH removes from the default graph: the union or the default context', async () => {
  const rows = [
    [g, '"a"'],
    [h, '"a"'],
    [defaultGraph, '"a"'],
  ] as const;
  const all = await storeWith(...rows);
  await update(all, 'DELETE DATA { <urn:s> <urn:p> "a" }');
  assert.deepEqual(contentOf(all), []);
  const one = await storeWith(...rows);
  await update(one, 'DELETE DATA { <urn:s> <urn:p> "a" }', { ...settings, defaultGraphIs: 'default' });
  assert.deepEqual(contentOf(one), [row('"a"', g), row('"a"', h)]);
});

test('the operations of a request see the changes of earlier operations', async () => {
  const store = await storeWith([g, '"old"']);
  const text = `INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> "a", "b" } } ;
    DELETE DATA { GRAPH <urn:g> { <urn:s> <urn:p> "a" } } ;
    COPY <urn:g> TO <urn:h> ; CLEAR GRAPH <urn:g> ;
    INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> "new" } } ; ADD <urn:g> TO <urn:h> ;
    DELETE DATA { <urn:s> <urn:p> "old" }`;
  await update(store, text);
  assert.deepEqual(contentOf(store), [row('"new"', g), row('"b"', h), row('"new"', h)].sort());
});

test('CLEAR keeps the empty graph and DROP removes it; the default context always exists', async () => {
  const store = await storeWith([g, '"a"'], [h, '"a"'], [defaultGraph, '"a"']);
  await update(store, 'CLEAR GRAPH <urn:g> ; DROP GRAPH <urn:h> ; DROP DEFAULT');
  assert.deepEqual(contentOf(store), []);
  assert.deepEqual(graphsOf(store), [defaultGraph, g].sort());
  await update(store, 'DROP NAMED ; CREATE GRAPH <urn:n>');
  assert.deepEqual(graphsOf(store), [defaultGraph, 'urn:n'].sort());
  await update(store, 'DROP ALL');
  assert.deepEqual(graphsOf(store), [defaultGraph]);
});

test('COPY, MOVE and ADD transfer the triples of a graph', async () => {
  const transfer = async (text: string) => {
    const store = await storeWith([g, '"a"'], [h, '"b"']);
    await update(store, text);
    return { rows: contentOf(store), graphs: graphsOf(store) };
  };
  const [a, b] = [row('"a"', g), row('"b"', h)];
  assert.deepEqual(await transfer('COPY <urn:g> TO <urn:h>'), { rows: [a, row('"a"', h)], graphs: [g, h] });
  assert.deepEqual(await transfer('MOVE <urn:g> TO <urn:h>'), { rows: [row('"a"', h)], graphs: [h] });
  assert.deepEqual(await transfer('ADD <urn:g> TO <urn:h>'), { rows: [a, row('"a"', h), b], graphs: [g, h] });
  assert.deepEqual(await transfer('MOVE <urn:g> TO <urn:g>'), { rows: [a, b], graphs: [g, h] });
  const made = { rows: [row('"a"', defaultGraph), b], graphs: [defaultGraph, h] };
  assert.deepEqual(await transfer('MOVE <urn:g> TO DEFAULT'), made);
});

test('missing graphs, and existing graphs for CREATE, are errors without SILENT', async () => {
  const missing = ['CLEAR', 'DROP'].map((verb) => `${verb} GRAPH <urn:none>`);
  const sources = ['COPY', 'MOVE', 'ADD'].map((verb) => `${verb} GRAPH <urn:none> TO <urn:h>`);
  for (const text of [...missing, ...sources]) {
    const store = await storeWith([h, '"b"']);
    assert.throws(() => effectsOf(store, text), hasCode('graph-not-found'), text);
    await update(store, text.replace(' ', ' SILENT '));
    assert.deepEqual(contentOf(store), [row('"b"', h)]);
  }
  const store = await storeWith([h, '"b"']);
  assert.throws(() => effectsOf(store, 'CREATE GRAPH <urn:h>'), hasCode('graph-exists'));
  await update(store, 'CREATE SILENT GRAPH <urn:h> ; CREATE GRAPH <urn:n>');
  assert.throws(() => effectsOf(store, 'CREATE GRAPH <urn:n>'), hasCode('graph-exists'));
  assert.deepEqual(graphsOf(store), [h, 'urn:n']);
  await update(store, 'LOAD SILENT <urn:any>');
});

test('the blocks of an update list the graphs that their quads name', async () => {
  const store = await storeWith([g, '"a"'], [h, '"b"']);
  const text = `INSERT DATA { GRAPH <urn:n> { <urn:s> <urn:p> "c", "d" } GRAPH <urn:g> { <urn:s> <urn:p> "c" } } ;
    DELETE DATA { GRAPH <urn:h> { <urn:s> <urn:p> "b" } }`;
  const { additions, removals } = effectsOf(store, text);
  assert.deepEqual([namedGraphs(additions), namedGraphs(removals)], [['urn:n', g], [h]]);
});

test('a request with a failed operation changes nothing', async () => {
  const store = await storeWith([g, '"a"']);
  assert.throws(
    () => effectsOf(store, 'DROP GRAPH <urn:g> ; DROP GRAPH <urn:g>'),
    hasCode('graph-not-found'),
  );
  assert.deepEqual(contentOf(store), [row('"a"', g)]);
});

test('graphs of the LDP space and system graphs cannot be changed', async () => {
  const space = 'http://x/ldp/a';
  const store = await storeWith([g, '"a"'], [space, '"a"']);
  const ofSpace = [
    `INSERT DATA { GRAPH <${space}> { <urn:s> <urn:p> "new" } }`,
    'INSERT DATA { GRAPH <http://x/ldp> { <urn:s> <urn:p> "new" } }',
    `ADD <urn:g> TO <${space}/b>`,
    `CREATE GRAPH <${space}/b>`,
    `DROP GRAPH <${space}>`,
    'DELETE DATA { <urn:s> <urn:p> "a" }',
  ];
  for (const text of ofSpace) assert.throws(() => effectsOf(store, text), hasCode('ldp-managed'), text);
  const ofServer = 'INSERT DATA { GRAPH <urn:x-pathpool:ldp-managed> { <urn:s> <urn:p> 1 } }';
  assert.throws(() => effectsOf(store, ofServer), hasCode('server-managed'));
  // Operations without an effect are allowed on these graphs.
  const idle = [
    ['INSERT', 'a'],
    ['DELETE', 'b'],
  ].map(([verb, object]) => `${verb} DATA { GRAPH <${space}> { <urn:s> <urn:p> "${object}" } }`);
  await update(store, idle.join(' ; '));
  await update(store, 'CLEAR ALL');
  assert.deepEqual(contentOf(store), [row('"a"', space)]);
});

test('system graphs cannot be copied to other graphs', async () => {
  const store = await storeWith([g, '"a"']);
  await commit(store, { kind: 'ldp-root', target: settings.ldpSpace, label: 'Root' });
  const before = [contentOf(store), graphsOf(store)];
  for (const source of [SYSTEM_GRAPH, LDP_GRAPH]) {
    for (const verb of ['COPY', 'ADD', 'MOVE']) {
      const text = `${verb} <${source}> TO <urn:leak>`;
      assert.throws(() => effectsOf(store, text), hasCode('graph-not-found'), text);
      await update(store, text.replace(' ', ' SILENT '));
    }
  }
  assert.deepEqual([contentOf(store), graphsOf(store)], before);
});

test('operations on many graphs exceed the limit of brief work', async () => {
  const store = await storeWith([g, '"a"']);
  const insert = Array.from({ length: 700 }, (_, i) => `GRAPH <urn:n${i}> { <urn:s> <urn:p> 1 }`).join(' ');
  const erase = 'DELETE DATA { <urn:s> <urn:p> 1 }';
  const texts = ['CLEAR ALL', 'DROP NAMED', `INSERT DATA { ${insert} } ${` ; ${erase}`.repeat(400)}`];
  for (const text of texts) {
    const request = requestOf(text, store);
    const read = (brief: boolean) => dataEffects(openSnapshot(store.snapshot), request, brief);
    assert.throws(() => read(true), LengthyDocumentError);
    assert.ok(read(false));
  }
  assert.ok(dataEffects(openSnapshot(store.snapshot), requestOf(`${erase} ; DROP DEFAULT`, store), true));
});

test('an update is rejected above the maximum number of changes', async () => {
  const store = await storeWith([g, '"a"'], [g, '"b"'], [g, '"c"']);
  const few = { ...settings, maxChanges: 2 };
  assert.throws(() => effectsOf(store, 'COPY <urn:g> TO <urn:h>', few), hasCode('too-large'));
  await commitEffects(store, effectsOf(store, 'DROP GRAPH <urn:g>', few));
  assert.deepEqual(contentOf(store), []);
});

test('COPY depends on its source graph; INSERT DATA and DELETE DATA depend on no graph', async () => {
  const store = await storeWith([g, '"a"']);
  const copied = effectsOf(store, 'COPY <urn:g> TO <urn:h>');
  assert.deepEqual(copied.unchanged, [{ graph: g, existed: true }]);
  const written = effectsOf(
    store,
    'INSERT DATA { <urn:s> <urn:p> "b" } ; DELETE DATA { GRAPH <urn:g> { <urn:s> <urn:p> "a" } }',
  );
  assert.deepEqual(written.unchanged, []);
});

test('dataEffects returns null for an update with a pattern', async () => {
  const store = await storeWith();
  const request = requestOf('INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }', store);
  assert.equal(dataEffects(openSnapshot(store.snapshot), request), null);
});
