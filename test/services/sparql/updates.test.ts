import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Result } from '../../../src/errors.ts';
import { Pool } from '../../../src/pool/pool.ts';
import { serializeRdf } from '../../../src/rdf/formats/serialize-quads.ts';
import { SparqlUpdates, type UpdateEngine } from '../../../src/services/sparql/updates.ts';
import { ImportTasks } from '../../../src/services/tasks/import-tasks.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { evaluateUpdate } from '../../../src/sparql/engine/update.ts';
import type { SparqlEffects } from '../../../src/sparql/request.ts';
import { PoolWork } from '../../../src/startup/pool-work.ts';
import { StoreClient } from '../../../src/store/main/client.ts';
import { instanceOf } from '../../sparql/engine-instance.ts';
import { settings } from '../../sparql/updates.ts';
import { fakeCaller } from '../../support/callers.ts';
import { merge } from '../../support/stores.ts';

const prefix = 'PREFIX : <urn:>\n';
const count = '"^^<http://www.w3.org/2001/XMLSchema#integer>';
const increment = `${prefix}WITH :g DELETE { :c :value ?n } INSERT { :c :value ?m } WHERE { :c :value ?n BIND(?n + 1 AS ?m) }`;

class Fixture {
  readonly store: StoreClient;
  readonly updates: SparqlUpdates;
  readonly imports = new ImportTasks();
  evaluations = 0;
  /** Called when an update waits for the thread that evaluates it. */
  onWaiting: () => Promise<unknown> = () => Promise.resolve();
  /** Called after an update was evaluated, and before its effects are passed on. */
  onEvaluated: () => Promise<unknown> = () => turn();

  private constructor(t: TestContext, store: StoreClient, work: PoolWork) {
    this.store = store;
    const pool = new Pool({ threads: 1, snapshot: () => store.snapshot, prefixes: {} });
    work.beginIn(pool);
    t.after(async () => {
      await pool.close(0);
      await store.close();
    });
    const engine: UpdateEngine = { switchedOff: null, update: (update) => this.#evaluate(update) };
    const workOutData: Pool['workOutData'] = async (...job) => {
      await this.onWaiting();
      return pool.workOutData(...job);
    };
    const parts = { engine, store, imports: this.imports, prefixes: { table: {} }, settings };
    this.updates = new SparqlUpdates({ ...parts, pool: { workOutData } });
  }

  static async open(t: TestContext, bigWriteRows?: number): Promise<Fixture> {
    const memory = { directory: null, journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false };
    const work = new PoolWork();
    const threshold = bigWriteRows === undefined ? {} : { bigWriteRows };
    const store = await StoreClient.open({
      ...memory,
      ...threshold,
      notice: () => {},
      work: { maintain: () => new Promise(() => {}), workOut: (request) => work.workOut(request) },
    });
    return new Fixture(t, store, work);
  }

  async load(graph: string, nquads: string): Promise<void> {
    const result = await this.store.commit({ preconditions: [], operations: [merge(graph, nquads)] });
    assert.ok(result.ok);
  }

  update(text: string) {
    return this.updates.update({ text, baseIri: 'http://x/sparql', dataset: undefined }, fakeCaller());
  }

  async done(text: string) {
    const result = await this.update(text);
    assert.ok(result.ok, JSON.stringify(result));
    return result.value;
  }

  get lines(): string[] {
    const quads = openSnapshot(this.store.snapshot).allQuads();
    const chunks = [...serializeRdf(quads, { mediaType: 'application/n-quads' })];
    return Buffer.concat(chunks).toString().split('\n').filter(Boolean).sort();
  }

  async #evaluate(update: Parameters<UpdateEngine['update']>[0]): Promise<Result<SparqlEffects>> {
    this.evaluations++;
    await this.onWaiting();
    const { result } = evaluateUpdate(instanceOf(this.store), update.requestNow());
    await this.onEvaluated();
    return result;
  }
}

test('updates of data need only a pool thread, and updates with patterns the engine', async (t) => {
  const fixture = await Fixture.open(t);
  const inserted = await fixture.done(`${prefix}INSERT DATA { GRAPH :g { :c :value 1 , 2 } }`);
  assert.deepEqual(inserted, { sequence: 1, added: 2, removed: 0 });
  assert.equal(fixture.evaluations, 0);
  const changed = await fixture.done(`${prefix}DELETE WHERE { :c :value 2 }`);
  assert.deepEqual(changed, { sequence: 2, added: 0, removed: 1 });
  assert.equal(fixture.evaluations, 1);
  assert.deepEqual(fixture.lines, [`<urn:c> <urn:value> "1${count} <urn:g> .`]);
  assert.deepEqual(await fixture.done(`${prefix}DELETE WHERE { :c :value 2 }`), {
    sequence: 2,
    added: 0,
    removed: 0,
  });
});

test('updates see empty graphs', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.done(`${prefix}CREATE GRAPH :g`);
  const again = await fixture.update(`${prefix}CREATE GRAPH :g`);
  assert.equal(!again.ok && again.error.code, 'graph-exists');
  await fixture.done(`${prefix}DROP GRAPH :g ; INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }`);
  assert.equal(fixture.store.graphs.get('urn:g'), undefined);
});

for (const pattern of ['', 'INSERT { :s :p ?o } WHERE { GRAPH :other { :s :p ?o } } ; ']) {
  const kind = pattern === '' ? 'data' : 'patterns';
  test(`an update of ${kind} sees the empty graphs of the commit that it is evaluated on`, async (t) => {
    const fixture = await Fixture.open(t);
    const { store } = fixture;
    const remove = (graph: string, keep: boolean) => async () => {
      fixture.onWaiting = () => Promise.resolve();
      const operations = [{ kind: 'drop', graph, keep } as const];
      assert.ok((await store.commit({ preconditions: [], operations })).ok);
    };
    await fixture.load('urn:emptied', '<urn:s> <urn:p> "1" .');
    fixture.onWaiting = remove('urn:emptied', true);
    await fixture.done(`${prefix}${pattern}DROP GRAPH :emptied`);
    assert.equal(store.graphs.get('urn:emptied'), undefined);
    await fixture.load('urn:kept', '<urn:s> <urn:p> "1" .');
    fixture.onWaiting = remove('urn:kept', true);
    const created = await fixture.update(`${prefix}${pattern}CREATE GRAPH :kept`);
    assert.equal(!created.ok && created.error.code, 'graph-exists');
    await fixture.done(`${prefix}CREATE GRAPH :gone`);
    fixture.onWaiting = remove('urn:gone', false);
    await fixture.done(`${prefix}${pattern}CREATE GRAPH :gone`);
    assert.equal(store.graphs.get('urn:gone')?.size, 0);
    await fixture.load('urn:all', '<urn:s> <urn:p> "1" .');
    fixture.onWaiting = remove('urn:all', true);
    await fixture.done(`${prefix}${pattern}DROP NAMED`);
    assert.equal(store.graphs.get('urn:all'), undefined);
  });
}

test('an update without white space between its keywords sees the empty graphs', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.done('CREATEGRAPH<urn:g>');
  const again = await fixture.update('CREATEGRAPH<urn:g>');
  assert.equal(!again.ok && again.error.code, 'graph-exists');
  await fixture.done('MOVEGRAPH<urn:g>TO<urn:h>');
  await fixture.done('DROPGRAPH<urn:h>');
  await fixture.done('CREATEGRAPH<urn:g>');
  await fixture.done('DROPALL');
  assert.equal(fixture.store.graphs.get('urn:g'), undefined);
});

test('an empty graph is moved once, even if several clients move it', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.done(`${prefix}CREATE GRAPH :g`);
  const moves = ['a', 'b', 'c', 'd'].map((to) => fixture.update(`${prefix}MOVE :g TO :${to}`));
  const results = await Promise.all(moves);
  const codes = results.map((result) => (result.ok ? 'moved' : result.error.code)).sort();
  assert.deepEqual(codes, [...Array(3).fill('graph-not-found'), 'moved']);
});

test('errors of each kind are returned, and nothing changes', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.load('urn:g', '<urn:a> <urn:b> "1" .');
  const codes: unknown[] = [];
  const texts = [
    'INSERT DATA {',
    'LOAD <urn:x>',
    'DROP GRAPH <urn:none>',
    'CLEAR GRAPH <http://x/ldp/a>',
    'INSERT { GRAPH <http://x/ldp/a> { ?s ?p ?o } } WHERE { ?s ?p ?o }',
    'INSERT { ?s ?p ?o } WHERE { ?s ?p ?o } ; DROP GRAPH <urn:none>',
  ];
  for (const text of texts) {
    const result = await fixture.update(text);
    codes.push(!result.ok && result.error.code);
  }
  assert.deepEqual(codes, [
    'parse-error',
    'unsupported-sparql',
    'graph-not-found',
    'graph-not-found',
    'ldp-managed',
    'graph-not-found',
  ]);
  assert.equal(fixture.store.snapshot.sequence, 1);
});

test('no update is lost: clients that count together reach the sum', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.load('urn:g', `<urn:c> <urn:value> "0${count} .`);
  const client = async () => {
    for (let i = 0; i < 8; i++) await fixture.done(increment);
  };
  await Promise.all(Array.from({ length: 6 }, client));
  assert.deepEqual(fixture.lines, [`<urn:c> <urn:value> "48${count} <urn:g> .`]);
  assert.ok(fixture.evaluations > 48);
});

test('an update that keeps losing races locks its graphs, and other writers of them wait', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.load('urn:g', `<urn:c> <urn:value> "0${count} .`);
  const writes: Promise<unknown>[] = [];
  const acknowledged: string[] = [];
  fixture.onEvaluated = async () => {
    const write = (graph: string) =>
      fixture.load(graph, `<urn:other> <urn:p> "${writes.length}" .`).then(() => acknowledged.push(graph));
    const same = write('urn:g');
    writes.push(same);
    await write('urn:h');
    // Until the update locks its graphs this write is committed immediately; then it waits.
    if (fixture.evaluations <= 3) await same;
  };
  const done = await fixture.done(increment);
  assert.equal(done.added, 1);
  assert.equal(fixture.evaluations, 4);
  assert.equal(acknowledged.filter((graph) => graph === 'urn:g').length, 3);
  await Promise.all(writes);
  assert.equal(acknowledged.length, 8);
  assert.equal(fixture.lines.filter((line) => line.endsWith('<urn:g> .')).length, 5);
});

test('an update is evaluated again after a change of a graph that it only read, or a new graph', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.load('urn:g', '<urn:a> <urn:p> "1" .');
  let isFirst = true;
  fixture.onEvaluated = async () => {
    if (isFirst) await fixture.load('urn:n', '<urn:b> <urn:p> "2" .');
    isFirst = false;
  };
  await fixture.done(`${prefix}INSERT { GRAPH :m { ?s :p ?o } } USING :g USING :n WHERE { ?s :p ?o }`);
  assert.equal(fixture.evaluations, 2);
  assert.equal(fixture.lines.filter((line) => line.endsWith('<urn:m> .')).length, 2);
});

test('a big update is planned on a pool thread, and small writes do not wait for it', async (t) => {
  const fixture = await Fixture.open(t, 2_000);
  const rows = Array.from({ length: 5_000 }, (_, i) => `<urn:s${i}> <urn:p> "${i % 7}" .`);
  await fixture.load('urn:g', rows.join('\n'));
  let order = '';
  fixture.onEvaluated = async () => {
    void turn()
      .then(() => fixture.load('urn:small', '<urn:a> <urn:b> "1" .'))
      .then(() => (order += 'small '));
  };
  const text = `${prefix}DELETE { GRAPH :g { ?s :p ?o } } INSERT { GRAPH :h { ?s :q ?o, _:n } } WHERE { GRAPH :g { ?s :p ?o } }`;
  const done = await fixture.done(text);
  order += 'big';
  assert.deepEqual([done.added, done.removed], [10_000, 5_000]);
  assert.equal(order, 'small big');
  assert.equal(fixture.store.graphs.get('urn:h')?.size, 10_000);
  assert.equal(fixture.store.graphs.get('urn:g')?.size, 0);
  assert.equal(fixture.evaluations, 1);
});

test('a big update is evaluated again after a concurrent change', async (t) => {
  const fixture = await Fixture.open(t, 100);
  const rows = Array.from({ length: 500 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`);
  await fixture.load('urn:g', rows.join('\n'));
  let isFirst = true;
  fixture.onEvaluated = async () => {
    if (isFirst) await fixture.load('urn:g', '<urn:new> <urn:p> "new" .');
    isFirst = false;
  };
  await fixture.done(`${prefix}WITH :g DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o }`);
  assert.equal(fixture.lines.filter((line) => line.includes('<urn:q>')).length, 501);
  assert.equal(fixture.lines.length, 501);
});

test('an update is listed as a task until it completes', async (t) => {
  const fixture = await Fixture.open(t);
  await fixture.load('urn:g', '<urn:a> <urn:p> "1" .');
  const during = fixture.imports.during.bind(fixture.imports);
  const groups: string[] = [];
  fixture.imports.during = (task, triples, commit) => {
    groups.push(task.info.group);
    return during(task, triples, commit);
  };
  await fixture.done(`${prefix}DELETE WHERE { ?s :p ?o }`);
  assert.deepEqual(groups, ['SPARQL']);
});
