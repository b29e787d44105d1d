import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variablesOf } from '../../../src/sparql/engine/update/select.ts';
import { evaluateUpdate } from '../../../src/sparql/engine/update.ts';
import type { UpdateRequest } from '../../../src/sparql/request.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { blockOf } from '../../support/blocks.ts';
import { commit, contentOf, openOn } from '../../support/stores.ts';
import { instanceOf } from '../engine-instance.ts';
import { commitEffects, defaultGraph, graphsOf, requestOf, settings } from '../updates.ts';

const xsd = 'http://www.w3.org/2001/XMLSchema#';
const integer = (written: string) => `"${written}"^^<${xsd}integer>`;

/** Formats a quad from short names; `o` is in N-Triples. */
const quad = (s: string, p: string, o: string, g: string) => `<urn:${s}> <urn:${p}> ${o} <urn:${g}> .`;

async function storeWith(...rows: readonly string[]) {
  const store = await openOn(new SimDisk({ seed: 1 }));
  if (rows.length > 0) await commit(store, { kind: 'load', defaultGraph, block: blockOf(rows.join('\n')) });
  return store;
}

function outcomeOf(store: Store, text: string, more: Partial<UpdateRequest> = {}) {
  const prefixed = `PREFIX : <urn:>\n${text}`;
  return evaluateUpdate(instanceOf(store), requestOf(prefixed, store, more));
}

async function update(store: Store, text: string, more: Partial<UpdateRequest> = {}) {
  const { result } = outcomeOf(store, text, more);
  assert.ok(result.ok, JSON.stringify(result));
  await commitEffects(store, result.value);
  return result.value;
}

function errorCodeOf(store: Store, text: string): string | undefined {
  const { result } = outcomeOf(store, text);
  return result.ok ? undefined : result.error.code;
}

test('DELETE and INSERT apply to each solution, with removals first', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'), quad('b', 'p', '"2"', 'g'));
  await update(
    store,
    'DELETE { GRAPH ?g { ?s :p ?o } } INSERT { GRAPH ?g { ?s :q ?o . :b :p "2" } } WHERE { GRAPH ?g { ?s :p ?o } }',
  );
  assert.deepEqual(contentOf(store), [
    quad('a', 'q', '"1"', 'g'),
    quad('b', 'p', '"2"', 'g'),
    quad('b', 'q', '"2"', 'g'),
  ]);
});

test('without GRAPH, WHERE matches all graphs, DELETE removes from all, INSERT adds to the default context', async () => {
  const store = await storeWith(
    quad('a', 'p', '"1"', 'g'),
    quad('a', 'p', '"1"', 'h'),
    quad('a', 'p', '"2"', 'h'),
  );
  await update(store, 'DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o FILTER(?o = "1") }');
  const added = `<urn:a> <urn:q> "1" <${defaultGraph}> .`;
  assert.deepEqual(contentOf(store), [added, quad('a', 'p', '"2"', 'h')].sort());
});

test('an update without GRAPH uses only the default context if that is the default graph', async () => {
  const more = { settings: { ...settings, defaultGraphIs: 'default' as const } };
  const own = (p: string) => `<urn:a> <urn:${p}> "1" <${defaultGraph}> .`;
  const store = await storeWith(quad('a', 'p', '"1"', 'g'), own('p'));
  await update(store, 'DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o }', more);
  assert.deepEqual(contentOf(store), [own('q'), quad('a', 'p', '"1"', 'g')].sort());
});

test('WITH, USING, USING NAMED and the graphs of the request select the dataset', async () => {
  const rows = [quad('a', 'p', '"1"', 'g'), quad('a', 'p', '"1"', 'h'), quad('b', 'p', '"2"', 'h')];
  const after = async (text: string, more: Partial<UpdateRequest> = {}) => {
    const store = await storeWith(...rows);
    await update(store, text, more);
    return contentOf(store).filter((row) => !rows.includes(row));
  };
  assert.deepEqual(await after('WITH :g INSERT { ?s :q ?o } WHERE { ?s :p ?o }'), [
    quad('a', 'q', '"1"', 'g'),
  ]);
  assert.deepEqual(await after('WITH :g INSERT { ?s :q ?o } USING :h WHERE { ?s :p ?o }'), [
    quad('a', 'q', '"1"', 'g'),
    quad('b', 'q', '"2"', 'g'),
  ]);
  assert.deepEqual(
    await after('INSERT { GRAPH :n { ?s :q ?g } } USING NAMED :g WHERE { GRAPH ?g { ?s :p ?o } }'),
    [quad('a', 'q', '<urn:g>', 'n')],
  );
  assert.deepEqual(await after('INSERT { GRAPH :n { ?s :q ?o } } USING NAMED :g WHERE { ?s :p ?o }'), []);
  const dataset = { defaultGraphs: ['urn:g'], namedGraphs: [] };
  assert.deepEqual(await after('INSERT { GRAPH :n { ?s :q ?o } } WHERE { ?s :p ?o }', { dataset }), [
    quad('a', 'q', '"1"', 'n'),
  ]);
});

test('DELETE WHERE removes nothing if its last pattern has no solution', async () => {
  const rows = [quad('a', 'p', '"1"', 'g'), quad('b', 'p', '"1"', 'g'), quad('b', 'q', '"2"', 'g')];
  const store = await storeWith(...rows);
  await update(store, 'DELETE WHERE { ?s :p "1" . ?s :q "3" }');
  assert.deepEqual(contentOf(store), rows);
  await update(store, 'DELETE WHERE { ?s :p "1" . ?s :q "2" }');
  assert.deepEqual(contentOf(store), rows.slice(0, 1));
});

test('templates without variables apply once for each solution, regardless of the bound variables', async () => {
  const rows = [quad('a', 'p', '"1"', 'g'), quad('b', 'p', '"2"', 'g')];
  for (const variable of ['?s', ...variablesOf({ removals: [], additions: [] }).map((name) => `?${name}`)]) {
    const store = await storeWith(...rows);
    await update(store, `INSERT { GRAPH :n { :x :y [] } } WHERE { GRAPH :g { ${variable} :p ?o } }`);
    assert.equal(contentOf(store).length, 4);
    await update(store, `DELETE { GRAPH :g { :a :p "1" } } INSERT {} WHERE { ${variable} :p "3" }`);
    assert.equal(contentOf(store).length, 4);
  }
});

test('the names of selected variables are found without reading the pattern', () => {
  // Searching the text for an unused name would take quadratic time.
  const operation = {
    removals: [],
    additions: [],
    get where(): string {
      return assert.fail('The pattern was read.');
    },
  };
  assert.equal(variablesOf(operation).length, 1);
});

test('DELETE WHERE removes the triples that match its pattern', async () => {
  const store = await storeWith(
    quad('a', 'p', '"1"', 'g'),
    quad('b', 'p', '"2"', 'g'),
    quad('b', 'q', '"2"', 'g'),
  );
  await update(store, 'DELETE WHERE { ?s :p ?o ; :q ?o }');
  assert.deepEqual(contentOf(store), [quad('a', 'p', '"1"', 'g')]);
});

test('each solution creates new blank nodes, and variables keep the blank nodes of the data', async () => {
  const store = await storeWith('_:x <urn:p> "1" <urn:g> .', quad('a', 'p', '"2"', 'g'));
  await update(store, 'WITH :g DELETE { ?s :p ?o } INSERT { ?s :q _:n . _:n :r ?o } WHERE { ?s :p ?o }');
  const rows = contentOf(store).map((row) => row.split(' '));
  const links = rows.filter(([, p]) => p === '<urn:q>');
  assert.equal(rows.length, 4);
  assert.equal(new Set(links.map(([, , o]) => o)).size, 2);
  assert.equal(links.filter(([s]) => s === '<urn:a>').length, 1);
  for (const [, , node] of links) assert.ok(rows.some(([s, p]) => s === node && p === '<urn:r>'));
});

test('template triples with unbound variables or invalid terms are omitted', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'));
  const text = `INSERT { GRAPH :n { ?o :q 1 . ?s ?o 1 . ?s :q ?none . ?s :r ?o } GRAPH ?o { ?s :q 1 } }
    WHERE { GRAPH :g { ?s :p ?o } OPTIONAL { ?s :none ?none } }`;
  await update(store, text);
  assert.deepEqual(contentOf(store), [quad('a', 'p', '"1"', 'g'), quad('a', 'r', '"1"', 'n')]);
});

test('templates without variables apply only if the pattern has solutions', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'));
  await update(
    store,
    'INSERT { GRAPH :g { :x :y :z } } WHERE { :a :p "1" } ; INSERT { GRAPH :g { :x :y :none } } WHERE { :a :p "2" }',
  );
  assert.deepEqual(contentOf(store), [quad('a', 'p', '"1"', 'g'), quad('x', 'y', '<urn:z>', 'g')]);
});

test('constants keep their spelling, and values match in every spelling', async () => {
  const rows = [
    quad('a', 'p', integer('01'), 'g'),
    quad('a', 'p', integer('1'), 'g'),
    quad('b', 'p', integer('01'), 'g'),
  ];
  const after = async (text: string) => {
    const store = await storeWith(...rows);
    await update(store, text);
    return contentOf(store);
  };
  assert.deepEqual(await after('DELETE { GRAPH :g { :a :p 01 } } WHERE {}'), [rows[1], rows[2]].sort());
  assert.deepEqual(await after('DELETE { GRAPH :g { :a :p 001 } } WHERE {}'), [...rows].sort());
  assert.deepEqual(
    await after('DELETE { GRAPH :g { ?s :p ?o } } WHERE { GRAPH :g { ?s :p ?o } FILTER(?s = :a) }'),
    [rows[2]],
  );
  assert.deepEqual(await after('DELETE WHERE { GRAPH :g { ?s ?p ?o } }'), []);
  assert.deepEqual(
    await after('WITH :g DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o }'),
    rows.map((row) => row.replace('urn:p', 'urn:q')).sort(),
  );
  const incremented =
    'WITH :g DELETE { ?s :p ?o } INSERT { ?s :p ?n ; :r 007 } WHERE { ?s :p ?o BIND(?o + 1 AS ?n) }';
  const expected = ['a', 'b'].flatMap((s) => [
    quad(s, 'p', integer('2'), 'g'),
    quad(s, 'r', integer('007'), 'g'),
  ]);
  assert.deepEqual(await after(incremented), expected.sort());
});

test('other literals and terms pass through the engine unchanged', async () => {
  const objects = [
    '"x\\ty\\n\\"\\u0001\\u007F\\b\\f\\r\\\\é"@en-gb',
    '"\\t"',
    '"1.50"^^<urn:dt>',
    '"1.5E0"^^<http://www.w3.org/2001/XMLSchema#double>',
    '"abc"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"-05"^^<http://www.w3.org/2001/XMLSchema#int>',
    '"2020-01-01+00:00"^^<http://www.w3.org/2001/XMLSchema#date>',
    '"1"^^<http://www.w3.org/2001/XMLSchema#boolean>',
    '<urn:é>',
    '""',
    '"<<( a )>>"',
  ];
  const store = await storeWith(...objects.map((o) => quad('a', 'p', o, 'g')));
  const before = contentOf(store);
  await update(store, 'INSERT { GRAPH :h { ?s ?p ?o } } WHERE { GRAPH :g { ?s ?p ?o } }');
  assert.deepEqual(
    contentOf(store),
    [...before, ...before.map((row) => row.replace('<urn:g> .', '<urn:h> .'))].sort(),
  );
  await update(store, 'DELETE WHERE { GRAPH :g { ?s ?p ?o } }');
  assert.deepEqual(contentOf(store), before.map((row) => row.replace('<urn:g> .', '<urn:h> .')).sort());
});

test('later operations see earlier changes, and the instance is restored afterwards', async () => {
  const store = await storeWith(
    quad('a', 'p', integer('01'), 'g'),
    quad('a', 'p', integer('1'), 'g'),
    quad('a', 'p', '"x"', 'g'),
  );
  const instance = instanceOf(store);
  const dump = () => instance.store.dump({ format: 'application/n-quads' }).split('\n').sort();
  const before = dump();
  const text = `PREFIX : <urn:> DELETE DATA { GRAPH :g { :a :p 01 } } ;
    INSERT DATA { GRAPH :g { :a :p 007 } } ;
    INSERT { GRAPH :n { ?s :q ?o } } WHERE { GRAPH :g { ?s :p ?o } } ;
    CLEAR GRAPH :g ; MOVE :n TO :m ;
    INSERT { GRAPH :k { ?s ?p ?c } } WHERE { SELECT ?s ?p (COUNT(*) AS ?c) { ?s ?p ?o } GROUP BY ?s ?p }`;
  const { result, isSpoilt } = evaluateUpdate(instance, requestOf(text, store));
  assert.ok(result.ok && !isSpoilt, JSON.stringify(result));
  assert.deepEqual(dump(), before);
  await commitEffects(store, result.value);
  const expected = [
    quad('a', 'q', integer('1'), 'm'),
    quad('a', 'q', integer('007'), 'm'),
    quad('a', 'q', '"x"', 'm'),
    quad('a', 'q', integer('3'), 'k'),
  ];
  assert.deepEqual(contentOf(store), expected.sort());
  assert.deepEqual(graphsOf(store), ['urn:g', 'urn:k', 'urn:m']);
});

test('a literal has the spelling of the update, and not an earlier one of the data', async () => {
  const store = await storeWith(quad('a', 'p', integer('1'), 'g'), quad('a', 'p', '"x"', 'g'));
  await update(store, 'DELETE DATA { GRAPH :g { :a :p 1 } }');
  await update(
    store,
    'INSERT DATA { GRAPH :g { :b :p 01 } } ; INSERT { GRAPH :h { :b :q ?o } } WHERE { :b :p ?o }',
  );
  assert.ok(contentOf(store).includes(quad('b', 'q', integer('01'), 'h')));
});

test('a triple that an update adds to a second graph counts once in later operations', async () => {
  const count = 'INSERT { GRAPH :n { :all :count ?c } } WHERE { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } }';
  const single = await storeWith(quad('a', 'p', '"1"', 'g'));
  assert.equal(outcomeOf(single, `INSERT DATA { GRAPH :h { :a :p "1" } } ; ${count}`).isSpoilt, true);
  await update(single, `INSERT DATA { GRAPH :h { :a :p "1" } } ; ${count}`);
  assert.ok(contentOf(single).includes(quad('all', 'count', integer('1'), 'n')));
  const merged = await storeWith(quad('a', 'p', '"1"', 'g'), quad('a', 'p', '"1"', 'h'));
  assert.equal(outcomeOf(merged, `DELETE DATA { GRAPH :h { :a :p "1" } } ; ${count}`).isSpoilt, false);
  await update(merged, `DELETE DATA { GRAPH :h { :a :p "1" } } ; ${count}`);
  assert.ok(contentOf(merged).includes(quad('all', 'count', integer('1'), 'n')));
});

test('a triple in two USING graphs counts once', async () => {
  const store = await storeWith(
    quad('a', 'p', '"1"', 'g'),
    quad('a', 'p', '"1"', 'h'),
    quad('b', 'p', '"2"', 'h'),
  );
  const count = (name: string) =>
    `INSERT { GRAPH :n { :${name} :count ?c } } USING :g USING :h USING NAMED :g WHERE { SELECT (COUNT(*) AS ?c) { ?s ?p ?o FILTER EXISTS { GRAPH ?g {} } } }`;
  await update(
    store,
    `${count('first')} ; INSERT DATA { GRAPH :g { :b :p "2" . :c :p "3" } } ; ${count('second')}`,
  );
  const counted = contentOf(store).filter((row) => row.includes('urn:count'));
  assert.deepEqual(counted, [
    quad('first', 'count', integer('2'), 'n'),
    quad('second', 'count', integer('3'), 'n'),
  ]);
});

test('a syntax error that only the engine finds has a position in the update', async () => {
  const store = await storeWith();
  const { result } = outcomeOf(
    store,
    'INSERT { ?s ?p ?o }\n  WHERE { ?s ?p ?o .\n { SELECT ?x (COUNT(*) AS ?c) {} } }',
  );
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'parse-error');
  assert.equal(result.error.details.line, 4);
});

test('an aggregate sub-query in GRAPH ?g is evaluated for each graph', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'), quad('a', 'p', '"1"', 'h'));
  await update(
    store,
    'INSERT { GRAPH ?g { :x :y ?c } } WHERE { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } }',
  );
  const counted = contentOf(store).filter((row) => row.includes('urn:y'));
  assert.deepEqual(counted, [quad('x', 'y', integer('1'), 'g'), quad('x', 'y', integer('1'), 'h')]);
});

test('a request is applied entirely or not at all', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'));
  const instance = instanceOf(store);
  const text =
    'PREFIX : <urn:> INSERT DATA { :x :y :z } ; INSERT { :n ?p ?o } WHERE { ?s ?p ?o } ; DROP GRAPH :none ; DELETE WHERE { ?s ?p ?o }';
  const { result, isSpoilt } = evaluateUpdate(instance, requestOf(text, store));
  assert.equal(!result.ok && result.error.code, 'graph-not-found');
  assert.equal(isSpoilt, false);
  assert.equal(instance.store.size, 1);
});

test('the effects depend on the graphs that change and on those that the pattern names', async () => {
  const store = await storeWith(
    quad('a', 'p', '"1"', 'g'),
    quad('a', 'p', '"1"', 'h'),
    quad('b', 'q', '"1"', 'h'),
  );
  const seen = async (text: string) => {
    const { result } = outcomeOf(store, text);
    assert.ok(result.ok);
    return result.value.unchanged.map(({ graph, existed }) => `${graph} ${existed}`).sort();
  };
  assert.deepEqual(await seen('WITH :g INSERT { GRAPH :n { ?s :q ?o } } WHERE { ?s :p ?o }'), [
    'urn:g true',
    'urn:n false',
  ]);
  assert.deepEqual(await seen('DELETE { ?s :q ?o } WHERE { ?s :q ?o }'), ['urn:h true']);
  assert.deepEqual(
    await seen('INSERT { GRAPH :n { ?s :q ?o } } WHERE { GRAPH :g { ?s :p ?o } GRAPH :none { ?s :p ?o } }'),
    ['urn:g true', 'urn:none false'],
  );
});

test('protected graphs, exceeded limits and syntax errors are rejected', async () => {
  const store = await storeWith(quad('a', 'p', '"1"', 'g'), '<urn:a> <urn:p> "1" <http://x/ldp/a> .');
  assert.equal(errorCodeOf(store, 'DELETE WHERE { ?s :p ?o }'), 'ldp-managed');
  assert.equal(errorCodeOf(store, 'DELETE WHERE { GRAPH :g { ?s :p ?o } }'), undefined);
  assert.equal(
    errorCodeOf(store, 'INSERT { GRAPH <http://x/ldp/b> { ?s :p ?o } } WHERE { ?s :p ?o }'),
    'ldp-managed',
  );
  assert.equal(errorCodeOf(store, 'INSERT { ?s :p ?o } WHERE { ?s :p ?o '), 'parse-error');
  assert.equal(
    errorCodeOf(store, 'INSERT { ?s :p ?o } WHERE { ?s :p ?o FILTER(COUNT(?o) > 1) }'),
    'parse-error',
  );
  assert.equal(
    errorCodeOf(store, 'INSERT { ?s :p ?o } WHERE { SERVICE :x { ?s :p ?o } }'),
    'unsupported-sparql',
  );
  const few = outcomeOf(store, 'INSERT { GRAPH :n { ?s :p ?o, 1, 2 } } WHERE { ?s :p ?o }', {
    settings: { ...settings, maxChanges: 2 },
  });
  assert.equal(!few.result.ok && few.result.error.code, 'too-large');
});

test('a triple from many solutions counts as one change', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => quad(`s${i}`, 'p', '"1"', 'g'));
  const store = await storeWith(...rows, quad('a', 'q', '"1"', 'g'));
  const more = { settings: { ...settings, maxChanges: 2 } };
  const text = 'DELETE { GRAPH :g { :a :q "1" } } INSERT { GRAPH :g { :a :r "1" } } WHERE { ?s :p ?o }';
  await update(store, text, more);
  assert.deepEqual(contentOf(store), [...rows, quad('a', 'r', '"1"', 'g')].sort());
});

test('SERVICE SILENT returns one empty solution', async () => {
  const store = await storeWith();
  await update(store, 'INSERT { GRAPH :n { :a :b 1 . ?s :c 1 } } WHERE { SERVICE SILENT :x { ?s :p ?o } }');
  assert.deepEqual(contentOf(store), [quad('a', 'b', integer('1'), 'n')]);
});

test('patterns of updates are corrected like those of queries', async () => {
  const store = await storeWith(
    quad('a', 'p', '"1"', 'g'),
    quad('a', 'p', '"2"', 'g'),
    quad('b', 'p', '"3"', 'h'),
  );
  await update(
    store,
    `INSERT { GRAPH :counts { ?g :has ?c } } WHERE { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s :p ?o } } } ;
    INSERT { GRAPH :paths { ?x :is :reached } } WHERE { :none :p* ?x }`,
  );
  const rows = contentOf(store).filter((row) => /<urn:(counts|paths)> \.$/.test(row));
  assert.deepEqual(rows, [
    quad('g', 'has', integer('2'), 'counts'),
    quad('h', 'has', integer('1'), 'counts'),
    quad('none', 'is', '<urn:reached>', 'paths'),
  ]);
});
