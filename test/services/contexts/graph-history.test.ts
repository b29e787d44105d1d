import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EarlierGraph } from '../../../src/changes/messages.ts';
import type { Commits } from '../../../src/changes/thread/commit-source.ts';
import { readEarlierGraph } from '../../../src/changes/thread/earlier-graph.ts';
import type { Result } from '../../../src/errors.ts';
import type { SerializeRequest } from '../../../src/pool/pool.ts';
import { earlierQuads } from '../../../src/pool/worker/feed/earlier-quads.ts';
import { serializeRdf } from '../../../src/rdf/formats/serialize-quads.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { type FoundGraph, GraphHistory } from '../../../src/services/contexts/graph-history.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { randomTransaction, toTransaction } from '../../simulation/random-transactions.ts';
import { SimDisk, seededRandom } from '../../simulation/sim-disk.ts';
import { fakeCaller } from '../../support/callers.ts';
import { commitsInFiles, KEEP_ALL } from '../../support/histories.ts';
import { commit, drop, linesOf, maintain, merge, openOn, replace } from '../../support/stores.ts';

const NT = 'application/n-triples';
const GRAPHS = ['urn:x:g0', 'urn:x:g1', 'urn:x:g2', 'urn:x:g3'];

/** Does what a pool thread does. */
async function serialize({
  snapshot,
  source,
  mediaType,
}: Pick<SerializeRequest, 'snapshot' | 'source' | 'mediaType'>) {
  assert.ok('graph' in source && source.earlier);
  const { read } = earlierQuads(snapshot, source.graph, source.earlier.rows);
  const chunks = [...serializeRdf(read(), { mediaType })];
  return { ok: true, value: Buffer.concat(chunks) } as const;
}

/** The history of a store, without threads. */
function historyOf(store: Store, commits: Commits): GraphHistory {
  return new GraphHistory({
    store: {
      get snapshot() {
        return store.opened().snapshot;
      },
      get graphs() {
        return new Map(store.opened().graphs) as never;
      },
      state: String,
    },
    history: {
      newest: store.opened().snapshot.sequence,
      positionOf: (number) => `01234567.${number}`,
      earlierGraph: (request) => readEarlierGraph(commits, request, openSnapshot(store.opened().snapshot)),
      lastUntil: async () => null,
    },
    pool: { serialize },
    defaultGraph: 'urn:x:default',
  });
}

async function linesAt(history: GraphHistory, graph: string, number: number): Promise<string[] | 'absent'> {
  const found = await history.find(graph, number, fakeCaller());
  if (!found.ok) {
    assert.equal(found.error.code, 'graph-not-found', found.error.message);
    return 'absent';
  }
  const document = await history.read(found.value, NT, fakeCaller());
  found.value.release();
  assert.ok(document.ok && document.value instanceof Uint8Array);
  return linesOf([document.value]);
}

/** The present state of a graph. */
function linesNow(store: Store, graph: string): string[] | 'absent' {
  const { graphs, snapshot } = store.opened();
  if (!new Map(graphs).get(graph)) return 'absent';
  const reader = openSnapshot(snapshot);
  return linesOf([...serializeRdf(reader.graphCursor(reader.find(`<${graph}>`)), { mediaType: NT })]);
}

describe('the history of graphs', () => {
  for (let seed = 1; seed <= 3; seed++) {
    it(`has each state, and knows of empty graphs, from files and after a restart (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const disk = new SimDisk({ seed, shortReads: 0.01 });
      const options = { journalMax: 3000, changesRetention: KEEP_ALL };
      let store = await openOn(disk, options);
      const states = new Map<number, Map<string, string[] | 'absent'>>();
      for (let i = 0; i < 80; i++) {
        // What one transaction fills and deletes was not there before, as far as the history tells.
        const { operations } = randomTransaction(random, () => 'none');
        await store.commit([toTransaction({ preconditions: [], operations: operations.slice(0, 1) })]);
        if (i % 10 === 0) await maintain(store, disk);
        const now = GRAPHS.map((graph) => [graph, linesNow(store, graph)] as const);
        states.set(store.opened().snapshot.sequence, new Map(now));
        if (i !== 40) continue;
        await store.close();
        store = await openOn(disk, options);
      }
      const history = historyOf(store, commitsInFiles(disk));
      for (const [number, state] of states) {
        for (const [graph, expected] of state) {
          assert.deepEqual(await linesAt(history, graph, number), expected, `${graph} at ${number}`);
        }
      }
    });
  }

  it('has triples whose terms the dictionary has dropped', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, { changesRetention: KEEP_ALL });
    const lines = (round: number) =>
      Array.from({ length: 40_000 }, (_, i) => `<urn:s${i % 7}> <urn:p> "value ${round} ${i}"@en .`);
    await commit(store, replace('urn:kept', '<urn:a> <urn:b> <urn:d> .'));
    for (let round = 0; round < 4; round++) {
      await commit(store, replace('urn:g', lines(round).join('\n')));
      while ((await maintain(store, disk)) !== 'nothing');
    }
    await commit(store, drop('urn:g'));
    while ((await maintain(store, disk)) !== 'nothing');
    assert.ok(store.opened().snapshot.dictionary.generation > 0);
    const history = historyOf(store, commitsInFiles(disk));
    for (const round of [1, 3]) {
      assert.deepEqual(await linesAt(history, 'urn:g', 2 + round), lines(round).sort());
    }
    assert.equal(await linesAt(history, 'urn:g', 1), 'absent');
  });

  it('has no graph that the client may not see (G-161)', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, { changesRetention: KEEP_ALL });
    await commit(store, merge('urn:hidden', '<urn:a> <urn:b> "1" .'));
    await commit(store, merge('urn:open', '<urn:a> <urn:b> "2" .'));
    const history = historyOf(store, commitsInFiles(disk));
    const reads = iriPatterns(['urn:open']);
    const errorOf = async (graph: string, number: number) => {
      const found = await history.find(graph, number, {
        ...fakeCaller(),
        access: { read: reads, write: reads },
      });
      if (found.ok) found.value.release();
      return found.ok ? 'found' : found.error.message.replace(graph, 'G');
    };
    for (const number of [0, 1, 2]) {
      assert.equal(await errorOf('urn:hidden', number), await errorOf('urn:never', number));
      assert.match(await errorOf('urn:x:default', number), /There was no graph/);
    }
    assert.equal(await errorOf('urn:open', 2), 'found');
  });

  it('reads no commits after the last one that changed the graph', async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, { changesRetention: KEEP_ALL });
    await commit(store, merge('urn:g', '<urn:a> <urn:b> "1" .'));
    await commit(store, merge('urn:other', '<urn:a> <urn:b> "2" .'));
    const commits = commitsInFiles(disk);
    const request = { graph: 'urn:g', commit: 1, until: 1, maxQuads: 0 };
    const found = await readEarlierGraph(commits, request, openSnapshot(store.opened().snapshot));
    assert.ok(found !== 'too-many' && found.time !== null);
    assert.equal(found.rows.rows.length, 0);
  });
});

describe('requests for earlier states', () => {
  const nothing: EarlierGraph = {
    time: 1,
    existed: true,
    prefixes: null,
    rows: { bytes: new Uint8Array(), offsets: new Uint32Array(1), rows: new Uint32Array() },
  };

  /** `answer`: that of the thread. */
  function historyWith(answer: () => Promise<EarlierGraph | 'too-many'>): GraphHistory {
    return new GraphHistory({
      store: { snapshot: { sequence: 9 } as never, graphs: new Map() as never, state: String },
      history: { newest: 9, positionOf: String, earlierGraph: answer, lastUntil: async () => null },
      pool: { serialize },
      defaultGraph: 'urn:x:default',
    });
  }

  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code);

  it('that would read too much are refused with a reason', async () => {
    const found = await historyWith(async () => 'too-many').find('urn:g', 3, fakeCaller());
    assert.equal(codeOf(found), 'budget-exceeded');
    assert.match(found.ok ? '' : found.error.message, /Too much has changed since commit 3.*a later commit/);
  });

  it('are limited in number, and read one after another', async () => {
    let [running, most] = [0, 0];
    const history = historyWith(async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return nothing;
    });
    const aborts: (() => void)[] = [];
    const found: Result<FoundGraph>[] = await Promise.all(
      Array.from({ length: 17 }, () =>
        history.find(
          'urn:g',
          3,
          fakeCaller((listener) => aborts.push(listener)),
        ),
      ),
    );
    assert.equal(found.filter(({ ok }) => ok).length, 16);
    assert.deepEqual([codeOf(found.at(-1)!), most], ['overloaded', 1]);
    const [first] = found;
    if (first?.ok) first.value.release();
    if (first?.ok) first.value.release();
    assert.equal(codeOf(await history.find('urn:g', 3, fakeCaller())), 'ok');
    assert.equal(codeOf(await history.find('urn:g', 3, fakeCaller())), 'overloaded');
    // Those whose clients have left make room.
    for (const abort of aborts) abort();
    assert.equal(codeOf(await history.find('urn:g', 3, fakeCaller())), 'ok');
  });

  it('of clients that left while they waited are not read', async () => {
    let reads = 0;
    const history = historyWith(async () => {
      reads++;
      return nothing;
    });
    const first = history.find('urn:g', 3, fakeCaller());
    const second = history.find(
      'urn:g',
      3,
      fakeCaller((listener) => listener()),
    );
    assert.deepEqual([codeOf(await first), codeOf(await second), reads], ['ok', 'cancelled', 1]);
  });
});
