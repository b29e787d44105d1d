import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { IriSearch } from '../../../src/services/ldpath/iri-completion.ts';
import { buildIriIndex, type IriIndex } from '../../../src/snapshot/dictionary/iri-index.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { carryOut } from '../../../src/snapshot/runs/compact.ts';
import { planDrop, planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';

/** No time passes, so a search is complete, and waits until the index is there. */
const stoppedClock = { now: () => 0, wait: () => new Promise<never>(() => {}) };

function setUp(clock = stoppedClock as { now(): number; wait(): Promise<unknown> }) {
  const writer = new SnapshotWriter();
  let builds = 0;
  const put = (graph: string, lines: readonly string[]) => {
    const block = parseRdf(Buffer.from(lines.join('\n')), { mediaType: 'text/turtle', baseIri: graph });
    writer.apply(planMerge(writer, graph, block, `b${writer.terms.termCount}`));
    writer.publish(writer.descriptor.sequence + 1);
  };
  const drop = (graph: string) => {
    writer.apply(planDrop(writer, graph));
    writer.publish(writer.descriptor.sequence + 1);
  };
  const compactAll = () => {
    while (writer.needsCompaction) {
      const compaction = writer.beginCompaction();
      writer.install(compaction, carryOut(compaction));
    }
  };
  const store = {
    get snapshot() {
      return writer.descriptor;
    },
  };
  let threadIsFree = Promise.resolve();
  const indexIris = async (previous: IriIndex | null) => {
    builds++;
    await threadIsFree;
    const value = buildIriIndex(openSnapshot(writer.descriptor).terms, previous);
    return { ok: true, value } as const;
  };
  /** Occupies the thread that builds indexes. */
  const occupy = (until: Promise<void>) => {
    threadIsFree = until;
  };
  const search = new IriSearch(store, { indexIris }, clock);
  return { put, drop, compactAll, occupy, search, builds: () => builds };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `<http://many/${from + i}> <http://p/is> <http://many/same> .`);

test('a small store needs no index', async () => {
  const { put, search, builds } = setUp();
  put('urn:g', ['<http://b> <http://c> "x" .', '<http://a> <http://c> <http://d/e> .']);
  assert.deepEqual(await search.find('http://', 20), ['http://a', 'http://b', 'http://c', 'http://d/e']);
  assert.deepEqual(await search.find('http://', 2), ['http://a', 'http://b']);
  assert.deepEqual(await search.find('x', 20), []);
  assert.equal(builds(), 0);
});

test('triple terms are not completed', async () => {
  const { put, search } = setUp();
  put('urn:g', ['<urn:s> <urn:p> <<( <urn:a> <urn:b> <urn:c> )>> .']);
  assert.deepEqual(await search.find('', 20), ['urn:p', 'urn:s']);
  assert.deepEqual(await search.find('<', 20), []);
});

test('an index is rebuilt after dead terms were removed', async () => {
  const { put, drop, compactAll, search, builds } = setUp();
  put('urn:g', numbered(0, 100_000));
  put('urn:h', numbered(100_000, 130_000));
  assert.equal((await search.find('http://many/12345', 20)).length, 11);
  drop('urn:g');
  put('urn:i', ['<http://many/a> <http://p/is> "new" .']);
  compactAll();
  assert.deepEqual(await search.find('http://many/99', 20), []);
  assert.deepEqual(await search.find('http://many/a', 20), ['http://many/a']);
  assert.equal((await search.find('http://many/12345', 20)).length, 10);
  assert.equal(builds(), 2);
});

test('a big store is indexed once, and IRIs of later commits are found immediately', async () => {
  const { put, search, builds } = setUp();
  put('urn:g', numbered(0, 70_000));
  const first = await search.find('http://many/6999', 20);
  assert.deepEqual(first, [
    'http://many/6999',
    ...Array.from({ length: 10 }, (_, i) => `http://many/6999${i}`),
  ]);
  put('urn:h', ['<http://many/69990a> <http://p/is> "new" .']);
  assert.deepEqual((await search.find('http://many/69990', 3)).slice(0, 2), [
    'http://many/69990',
    'http://many/69990a',
  ]);
  assert.equal(builds(), 1);
});

test('completion omits URIs without a current triple and those of the system graph', async () => {
  const { put, drop, search } = setUp();
  put('urn:gone', numbered(0, 17_000));
  put('urn:kept', ['<http://many/19> <http://p/is> "kept" .']);
  await search.find('http://many/', 1);
  drop('urn:gone');
  put('urn:x-pathpool:system', ['<http://many/secret> <http://p/is> "hidden" .']);
  assert.deepEqual(await search.find('http://many/', 20), ['http://many/19']);
});

test('an index that is not ready in time is not waited for: only some terms are searched then', async () => {
  const { put, occupy, search, builds } = setUp({ now: () => 0, wait: () => Promise.resolve() });
  put('urn:g', numbered(0, 20_000));
  let free: (() => void) | undefined;
  occupy(
    new Promise((resolve) => {
      free = resolve;
    }),
  );
  assert.deepEqual(await search.find('http://many/10000', 20), ['http://many/10000']);
  assert.deepEqual(await search.find('http://many/19999', 20), []);
  free?.();
  while ((await search.find('http://many/19999', 20)).length === 0);
  assert.equal(builds(), 1);
});

test('a search ends after its time, with what it has found by then', async () => {
  let looks = 0;
  const aMillisecondEach = { ...stoppedClock, now: () => looks++ };
  const { put, drop, search } = setUp(aMillisecondEach);
  put('urn:gone', numbered(1_000, 4_000));
  put('urn:kept', ['<http://many/1> <http://p/is> "1" . <http://many/2> <http://p/is> "2" .']);
  assert.deepEqual(await search.find('http://many/3999', 1), ['http://many/3999']);
  drop('urn:gone');
  assert.deepEqual(await search.find('http://many/', 20), ['http://many/1']);
});

test('IRIs that only hidden quads have are not found, before and after they are indexed (G-161)', async () => {
  const { put, search, builds } = setUp();
  const visible = iriPatterns(['urn:open*']);
  put('urn:hidden', ['<http://a/hidden> <http://p/is> <http://a/shared> .']);
  put('urn:open', ['<http://a/open> <http://p/is> <http://a/shared> .']);
  const both = ['http://a/open', 'http://a/shared'];
  assert.deepEqual(await search.find('http://a/', 20, visible), both);
  put('urn:hidden', numbered(0, 70_000));
  assert.deepEqual(await search.find('http://a/', 20, visible), both);
  assert.deepEqual(await search.find('http://a/', 1, visible), ['http://a/open']);
  assert.equal(builds(), 1);
  assert.deepEqual(await search.find('http://many/', 20, visible), []);
  put('urn:open', ['<http://z> <http://p/is> <http://many/same> .']);
  assert.deepEqual(await search.find('http://many/s', 20, visible), ['http://many/same']);
});

test('a search among hidden quads ends in time', async () => {
  let now = 0;
  const { put, search } = setUp({ now: () => (now += 200), wait: stoppedClock.wait });
  put('urn:hidden', numbered(0, 70_000));
  put('urn:open', ['<http://z> <http://p/is> <http://many/same> .']);
  assert.deepEqual(await search.find('http://many/s', 20, iriPatterns(['urn:open*'])), []);
});

test('for a client that may not read all graphs IRIs outside the index are looked at for a time only', async () => {
  let now = 0;
  const { put, search } = setUp({ now: () => (now += 200), wait: stoppedClock.wait });
  put('urn:hidden', numbered(0, 100));
  put('urn:open', ['<http://many/open> <http://p/is> "open" .']);
  assert.deepEqual(await search.find('http://many/', 20, iriPatterns(['urn:open*'])), []);
  assert.deepEqual(await search.find('http://many/o', 20, iriPatterns(['urn:open*'])), ['http://many/open']);
  assert.equal((await search.find('http://many/', 200)).length, 102);
});
