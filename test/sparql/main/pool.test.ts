import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { TaskMap } from '../../../src/pool/tasks/map.ts';
import type { UpdateRequest } from '../../../src/sparql/request.ts';
import { fakeCaller } from '../../support/callers.ts';
import {
  LIGHT,
  query,
  RUNAWAY,
  respelledTriples,
  resultOf,
  someTriples,
  sparqlPool,
  tasksOf,
  taskThat,
} from './fixture.ts';

const evaluates = ({ message }: TaskMap) => message === 'evaluating';
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';

test('threads start with the first query, and its result includes all earlier commits', async (t) => {
  const { pool, add } = await sparqlPool(t);
  assert.equal(pool.started, 0);
  for (let i = 0; i < 50; i++) {
    await add(`<urn:s> <urn:p> "${i}" .`);
    assert.match(await resultOf(pool.query(query(COUNT))), new RegExp(`\\b${i + 1}\\b`));
  }
  assert.equal(pool.started, 1);
});

test('a slow query is moved to another thread, gets its full time there, and then fails with time-limit', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { quickMs: 100, timeMs: 400 });
  await add(someTriples());
  const runaway = await resultOf(pool.query(query(RUNAWAY)));
  assert.equal(runaway, 'time-limit');
  assert.deepEqual(
    kills.map(({ thread, reason }) => [thread, reason]),
    [
      ['sparql-1', 'demoted'],
      ['sparql-2', 'time-limit'],
    ],
  );
});

test('quick queries complete while a slow one runs, and only one thread loads the data', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { quickMs: 100 });
  await add(someTriples());
  const runaway = resultOf(pool.query(query(RUNAWAY), fakeCaller()));
  const filled: (string | null | undefined)[] = [];
  const { name } = await taskThat(pool, (task) => {
    if (task.message === 'filling') filled.push(task.thread);
    return evaluates(task) && task.thread === 'sparql-2';
  });
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
  assert.ok(filled.every((thread) => thread === 'sparql-1'));
  assert.deepEqual(
    kills.map(({ thread, reason }) => [thread, reason]),
    [['sparql-1', 'demoted']],
  );
  pool.cancel('SPARQL', name);
  assert.equal(await runaway, 'cancelled');
});

test('a query of the same shape as a slow one is sent to the threads for slow queries immediately', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { quickMs: 100, timeMs: 300 });
  await add(someTriples());
  for (const number of [1, 2]) {
    assert.equal(await resultOf(pool.query(query(`${RUNAWAY} LIMIT ${number}`))), 'time-limit');
  }
  assert.deepEqual(
    kills.map(({ thread }) => thread),
    ['sparql-1', 'sparql-2', 'sparql-2'],
  );
});

test('a query that repeatedly ends threads is quarantined, and others are accepted', async (t) => {
  const { pool, add } = await sparqlPool(t, { quickMs: 50, timeMs: 100 });
  await add(someTriples());
  const results: string[] = [];
  for (let i = 0; i < 4; i++) results.push(await resultOf(pool.query(query(RUNAWAY))));
  assert.deepEqual(results, ['time-limit', 'time-limit', 'time-limit', 'quarantined']);
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
});

test('a single thread evaluates all queries, each with its full time', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { threads: 1, quickMs: 20, timeMs: 300 });
  await add(someTriples());
  const results = [RUNAWAY, LIGHT].map((text) => resultOf(pool.query(query(text))));
  assert.deepEqual([await results[0], /"1"/.test((await results[1])!)], ['time-limit', true]);
  assert.deepEqual(
    kills.map(({ thread, reason }) => [thread, reason]),
    [['sparql-1', 'time-limit']],
  );
});

test('a query is cancelled when its client disconnects, and the queries after it complete', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { threads: 1, quickMs: 50 });
  await add(someTriples());
  let leave = () => {};
  const caller = fakeCaller((listener) => {
    leave = listener;
  });
  const runaway = resultOf(pool.query(query(RUNAWAY), caller));
  await taskThat(pool, evaluates);
  const light = resultOf(pool.query(query(LIGHT)));
  leave();
  assert.equal(await runaway, 'cancelled');
  assert.match(await light, /"1"/);
  assert.deepEqual(
    kills.map(({ reason }) => reason),
    ['cancelled'],
  );
});

test('tasks show the thread, state and text of a query, and are cancelled by name', async (t) => {
  const { pool, add } = await sparqlPool(t, { threads: 1, quickMs: 50 });
  await add(someTriples());
  const runaway = resultOf(pool.query(query(RUNAWAY), fakeCaller()));
  const running = await taskThat(pool, evaluates);
  const { group, thread, state, detailMessages, client } = running;
  assert.deepEqual(
    { group, thread, state, detailMessages, client },
    {
      group: 'SPARQL',
      thread: 'sparql-1',
      state: 'running',
      detailMessages: { query: RUNAWAY },
      client: '127.0.0.1',
    },
  );
  const waiting = resultOf(pool.query(query(LIGHT)));
  const { message, name } = await taskThat(pool, ({ state }) => state === 'queued');
  assert.equal(message, 'queued');
  assert.equal(pool.cancel('SPARQL', 'query of nobody'), undefined);
  assert.equal(pool.cancel('LDPath', name), undefined);
  for (const each of [name, running.name]) assert.equal(pool.cancel('SPARQL', each), true);
  assert.deepEqual([await runaway, await waiting], ['cancelled', 'cancelled']);
  assert.deepEqual(tasksOf(pool), []);
});

test('a client that fills the queue is rejected with a time to retry, and another client is admitted', async (t) => {
  const { pool, add } = await sparqlPool(t, { threads: 1, queue: 4 });
  await add(someTriples());
  const from = (address: string) => fakeCaller(() => {}, address);
  void pool.query(query(RUNAWAY), from('10.0.0.1'));
  await taskThat(pool, evaluates);
  for (let i = 0; i < 4; i++) void pool.query(query(LIGHT), from('10.0.0.1'));
  const rejected = await pool.query(query(LIGHT), from('10.0.0.1'));
  assert.ok(!rejected.ok && rejected.error.code === 'overloaded');
  assert.ok(rejected.error.details.retryAfter! >= 1);
  void pool.query(query(LIGHT), from('10.0.0.2'));
  assert.equal(tasksOf(pool).length, 6);
});

test('queries are rejected with the reason while the data do not fit, and accepted after a removal', async (t) => {
  const { pool, add, store } = await sparqlPool(t, { maxBytes: 32 * 1024 * 1024 });
  await add(someTriples(200_000));
  const rejected = await pool.query(query(LIGHT));
  assert.ok(!rejected.ok && rejected.error.code === 'sparql-unavailable');
  const message = /^200000 quads, .* do not fit into the 33554432 bytes .*--sparql-max.*docs\/sparql\.md/;
  assert.match(rejected.error.message, message);
  assert.equal(pool.started, 0);
  await store.commit({ preconditions: [], operations: [{ kind: 'drop', graph: 'urn:x:g', keep: false }] });
  await add(someTriples(5));
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
});

test('queries are rejected if the terms of the data are too long for an instance', async (t) => {
  const maxBytes = 24 * 1024 * 1024;
  const { pool, add } = await sparqlPool(t, { maxBytes });
  await add(
    Array.from({ length: 40 }, (_, i) => `<urn:s> <urn:p> "${i}${'x'.repeat(2 ** 20)}" .\n`).join(''),
  );
  for (const data of ['The data', '40 quads']) {
    const rejected = await pool.query(query(LIGHT));
    assert.ok(!rejected.ok && rejected.error.code === 'sparql-unavailable');
    const message = new RegExp(
      `^${data} do not fit into the ${maxBytes} bytes .*--sparql-max.*docs/sparql\\.md`,
    );
    assert.match(rejected.error.message, message);
  }
});

test('a thread that ends while it loads the data is restarted only for new work', async (t) => {
  const { pool, add, kills } = await sparqlPool(t, { heapMegabytes: 16 });
  await add(respelledTriples(150_000));
  const asked = [LIGHT, COUNT].map((text) => resultOf(pool.query(query(text))));
  assert.deepEqual(await Promise.all(asked), ['sparql-unavailable', 'sparql-unavailable']);
  assert.deepEqual([pool.started, kills.length], [0, 1]);
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'sparql-unavailable');
  assert.deepEqual([pool.started, kills.length], [0, 1]);
});

test('an idle thread ends, and the next query starts another', async (t) => {
  const { pool, add } = await sparqlPool(t, { idleMs: 20 });
  await add(someTriples(5));
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
  while (pool.started > 0) await turn();
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
});

test('a query that needs too much memory gets an error, and its pool evaluates later queries', async (t) => {
  const { pool, add } = await sparqlPool(t, { maxBytes: 64 * 1024 * 1024 });
  await add(someTriples(2000));
  const all = 'SELECT DISTINCT ?a ?b ?c ?d { ?a <urn:p> ?b . ?c <urn:p> ?d }';
  assert.equal(await resultOf(pool.query(query(all))), 'budget-exceeded');
  assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
});

describe('what makes Oxigraph panic', () => {
  const directed = '<urn:s1> <urn:p> "1" .\n<urn:s2> <urn:q> "d"@en--ltr .';
  const comparing = 'SELECT ?o { ?s <urn:q> ?o FILTER(?o = "d"@en--ltr) }';

  test('a query gets an error of its own, its pool evaluates later queries, and it is quarantined', async (t) => {
    const { pool, add } = await sparqlPool(t);
    await add(directed);
    for (let i = 0; i < 3; i++) {
      const result = await pool.query(query(comparing));
      assert.ok(!result.ok);
      assert.equal(result.error.code, 'unsupported-sparql');
      assert.match(result.error.message, /panicked at .*direction .* sameTerm/);
      assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
    }
    assert.equal(await resultOf(pool.query(query(comparing))), 'quarantined');
    const working = comparing.replace(/FILTER.*\)/, 'FILTER sameTerm(?o, "d"@en--ltr)');
    assert.match(await resultOf(pool.query(query(working))), /"d"@en--ltr/);
  });

  test('an update gets the same error, and its pool evaluates later queries', async (t) => {
    const { pool, add } = await sparqlPool(t);
    await add(directed);
    const text = 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o . ?s2 ?p2 ?o2 FILTER(?o = ?o2) }';
    const result = await pool.update({ text, requestNow: () => requestFor(text) });
    assert.equal(!result.ok && result.error.code, 'unsupported-sparql');
    assert.match(await resultOf(pool.query(query(LIGHT))), /"1"/);
  });

  test('a query is not quarantined for an unsupported function, which breaks no instance', async (t) => {
    const { pool, add } = await sparqlPool(t);
    await add(directed);
    for (let i = 0; i < 5; i++) {
      const asked = pool.query(query('SELECT (<urn:f>(?o) AS ?n) { ?s ?p ?o }'));
      assert.equal(await resultOf(asked), 'unsupported-sparql');
    }
  });
});

function requestFor(text: string, emptyGraphs: readonly string[] = []): UpdateRequest {
  const settings = {
    defaultGraphIs: 'union',
    defaultGraph: 'http://base/context/default',
    ldpSpace: 'http://base/ldp',
    maxChanges: 1000,
  } as const;
  return { text, baseIri: 'http://base/', dataset: undefined, settings, emptyGraphs };
}

test('a queued update gets the snapshot and empty graphs of the time when it starts', async (t) => {
  const { pool, add, store } = await sparqlPool(t, { threads: 1, quickMs: 100 });
  await add(someTriples());
  const runaway = resultOf(pool.query(query(RUNAWAY)));
  const { name } = await taskThat(pool, evaluates);
  const askedAt: number[] = [];
  const text = 'DROP GRAPH <urn:g> ; DELETE WHERE { <urn:none> ?p ?o }';
  const requestNow = () => {
    askedAt.push(store.snapshot.sequence);
    return requestFor(text, [...store.graphs.empty]);
  };
  const worked = pool.update({ text, requestNow });
  await add('', 'urn:g');
  pool.cancel('SPARQL', name);
  assert.equal(await runaway, 'cancelled');
  const effects = await worked;
  assert.ok(effects.ok, JSON.stringify(effects));
  assert.deepEqual(effects.value.dropped, ['urn:g']);
  assert.deepEqual([...askedAt, effects.value.sequence], [2, 2]);
});

test('an update returns its effects on the newest data without changing them', async (t) => {
  const { pool, add, store } = await sparqlPool(t);
  await add(someTriples(3));
  const text = 'DELETE { ?s ?p ?o } INSERT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }';
  const effects = await pool.update({ text, requestNow: () => requestFor(text) });
  assert.ok(effects.ok, JSON.stringify(effects));
  const { sequence, additions, removals } = effects.value;
  assert.deepEqual(
    [sequence, additions.quads.length / 4, removals.quads.length / 4],
    [store.snapshot.sequence, 3, 3],
  );
  assert.match(await resultOf(pool.query(query('SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }'))), /3/);
});

test('closing the pool rejects running and later queries', async (t) => {
  const { pool, add } = await sparqlPool(t);
  await add(someTriples());
  const runaway = resultOf(pool.query(query(RUNAWAY)));
  await taskThat(pool, evaluates);
  await pool.close(0);
  assert.equal(await runaway, 'shutting-down');
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'shutting-down');
});

test('a pool without threads rejects queries as unavailable', async (t) => {
  const { pool } = await sparqlPool(t, { threads: 0 });
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'sparql-unavailable');
});
