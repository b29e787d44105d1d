import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Indexer, type IndexReports } from '../../src/indexing/indexer.ts';
import { PathpoolSource } from '../../src/indexing/pathpool-source.ts';
import { FileTarget } from '../../src/indexing/targets/file-target.ts';
import { OpenSearchTarget } from '../../src/indexing/targets/opensearch-target.ts';
import { SearchServer } from '../../src/indexing/targets/search-server.ts';
import { SolrTarget } from '../../src/indexing/targets/solr-target.ts';
import { type Target, TargetError } from '../../src/indexing/targets/target.ts';
import { PathpoolError } from '../../src/library/client/error-response.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type Document, FakePathpool } from './fake-pathpool.ts';
import { FakeOpenSearch } from './targets/fake-opensearch.ts';
import { type FakeSearchServer, serveSearch } from './targets/fake-search-server.ts';
import { FakeSolr } from './targets/fake-solr.ts';

const signal = new AbortController().signal;

interface Fixture {
  readonly target: Target;
  /** Undefined if the target is a directory. */
  readonly search?: FakeSearchServer;
  /** The documents of resources in the target, without what the indexer adds. */
  documents(): Promise<Record<string, Document>>;
}

const targets: Record<string, (context: TestContext) => Promise<Fixture>> = {
  file: async (context) => {
    const directory = await temporaryDirectory(context);
    return { target: new FileTarget(directory, 'p'), documents: () => filesIn(directory) };
  },
  solr: async (context) => {
    const solr = new FakeSolr();
    const search = await serveSearch(context, solr);
    const server = new SearchServer({ url: search.url, authorization: undefined, signal });
    const target = new SolrTarget(server, search.url, 'p');
    return { target, search, documents: async () => documentsOf(solr.documents) };
  },
  opensearch: async (context) => {
    const index = new FakeOpenSearch();
    const search = await serveSearch(context, index);
    const url = `${search.url}/documents`;
    const target = new OpenSearchTarget(
      new SearchServer({ url, authorization: undefined, signal }),
      url,
      'p',
    );
    return { target, search, documents: async () => documentsOf(index.documents) };
  },
};

for (const [name, open] of Object.entries(targets)) {
  describe(`an index in a target of the kind ${name}`, () => {
    test('has the whole set after the first run, and the changes after the next', async (context) => {
      const server = await FakePathpool.start(context);
      const fixture = await open(context);
      server.commit({ 'urn:a': { title: ['A'] }, 'urn:b': { title: ['B'] }, 'urn:"\\': { title: ['"'] } });
      await update(server, fixture.target);
      assert.deepEqual(await fixture.documents(), Object.fromEntries(server.documents));
      server.commit({ 'urn:a': { title: ['new'] }, 'urn:b': null });
      await update(server, fixture.target);
      assert.deepEqual(await fixture.documents(), Object.fromEntries(server.documents));
      assert.equal(server.requests.filter((request) => request === 'POST /ldpath/batch').length, 1);
    });

    test('is written again, and loses what no longer exists, when its position is gone', async (context) => {
      const server = await FakePathpool.start(context);
      const fixture = await open(context);
      server.commit({ 'urn:a': { title: ['A'] }, 'urn:b': { title: ['B'] } });
      await update(server, fixture.target);
      server.commit({ 'urn:b': null });
      server.commit({ 'urn:c': { title: ['C'] } });
      server.forgetChanges();
      await update(server, fixture.target);
      assert.deepEqual(await fixture.documents(), Object.fromEntries(server.documents));
      server.restore({ 'urn:d': { title: ['D'] } });
      await update(server, fixture.target);
      assert.deepEqual(await fixture.documents(), { 'urn:d': { title: ['D'] } });
    });

    test('is right after any faults of both servers, and any interruption', async (context) => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      context.diagnostic(`seed ${seed}`);
      const random = seededRandom(seed);
      const server = await FakePathpool.start(context);
      const fixture = await open(context);
      for (let round = 0; round < 40; round++) {
        server.commit(randomChanges(random));
        if (random() < 0.1) server.forgetChanges();
        if (random() < 0.05) server.restore({ 'urn:r': { round } });
        const interruption = new AbortController();
        const writes = random() < 0.5 ? Number.POSITIVE_INFINITY : Math.floor(random() * 4);
        if (random() < 0.2) server.faults.push({ cut: Math.floor(random() * 8) });
        const target = endingAfter(fixture.target, { writes, random, interruption });
        await update(server, target, interruption.signal).catch((error: unknown) => {
          if (!interruption.signal.aborted) throw error;
        });
      }
      server.faults.length = 0;
      await update(server, fixture.target);
      assert.deepEqual(await fixture.documents(), Object.fromEntries(server.documents));
    });
  });
}

for (const kind of ['solr', 'opensearch'] as const) {
  test(`${kind}: requests that fail, or whose response is lost, are repeated`, async (context) => {
    const server = await FakePathpool.start(context);
    const { target, search, documents } = await targets[kind]!(context);
    search!.faults.push('before', 'after', undefined, 'after', { status: 503 });
    server.commit({ 'urn:a': { title: ['A'] }, 'urn:b': { title: ['B'] } });
    await update(server, target);
    assert.deepEqual(await documents(), Object.fromEntries(server.documents));
  });

  test(`${kind}: a request that is refused ends the indexer with the answer`, async (context) => {
    const server = await FakePathpool.start(context);
    const { target, search } = await targets[kind]!(context);
    search!.faults.push({ status: 401 });
    await assert.rejects(update(server, target), (error) => {
      return error instanceof TargetError && error.message.includes('answers 401');
    });
  });
}

test('an answer that is not of a search server ends the indexer', async (context) => {
  const server = await FakePathpool.start(context);
  const page = createServer((_, response) => response.end('<!DOCTYPE html>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  context.after(() => page.close());
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const target = new SolrTarget(new SearchServer({ url, authorization: undefined, signal }), url, 'p');
  await assert.rejects(update(server, target), (error) => {
    return error instanceof TargetError && error.message.includes('answers 200: <!DOCTYPE html>');
  });
});

test('changes without a last line are not all changes', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await update(server, new FileTarget(directory, 'p'));
  server.commit({ 'urn:b': { title: ['B'] } });
  server.faults.push('empty');
  await update(server, new FileTarget(directory, 'p'));
  assert.deepEqual(await filesIn(directory), Object.fromEntries(server.documents));
});

test('a server that is no Pathpool server ends the indexer', async (context) => {
  const page = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!DOCTYPE html>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  context.after(() => page.close());
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const { target } = await targets['file']!(context);
  await assert.rejects(update({ url }, target), /no Pathpool server: .* with text\/html/);
});

test('a position that is gone again and again is asked for at longer and longer intervals', async (context) => {
  const server = await FakePathpool.start(context);
  const { target } = await targets['file']!(context);
  server.faults.push(...Array.from({ length: 1000 }, () => ({ status: 410 })));
  const ending = AbortSignal.timeout(1000);
  await assert.rejects(update(server, target, ending), (error) => error === ending.reason || ending.aborted);
  assert.ok(server.requests.length < 6, `${server.requests.length} requests in a second`);
});

test('few of many failures are listed, and the others counted', async (context) => {
  const server = await FakePathpool.start(context);
  const { target } = await targets['file']!(context);
  server.commit(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`urn:${i}`, 'failure' as const])));
  const notices: string[] = [];
  await update(server, target, signal, { notice: (message) => notices.push(message) });
  assert.equal(notices.filter((notice) => notice.includes('has no document')).length, 10);
  assert.equal(notices.at(-1), '15 more without a document are not listed.');
});

test('a program with a field named id ends the indexer', async (context) => {
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { id: ['7'] } });
  for (const open of Object.values(targets)) {
    const { target } = await open(context);
    await assert.rejects(update(server, target), (error) => {
      return error instanceof TargetError && error.message.includes("a field 'id'");
    });
  }
});

for (const kind of ['solr', 'opensearch'] as const) {
  test(`${kind}: a request that is too large is sent in pieces`, async (context) => {
    const server = await FakePathpool.start(context);
    const { target, search, documents } = await targets[kind]!(context);
    const text = 'x'.repeat(100);
    server.commit(
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`urn:${i}`, { text: [text, i] }])),
    );
    search!.maxBody = 1000;
    await update(server, target);
    assert.deepEqual(await documents(), Object.fromEntries(server.documents));
    server.commit({ 'urn:large': { text: text.repeat(20) } });
    await assert.rejects(update(server, target), (error) => {
      return error instanceof TargetError && error.message.includes('answers 413');
    });
  });
}

test('opensearch: removals that fail are repeated', async (context) => {
  const server = await FakePathpool.start(context);
  const index = new FakeOpenSearch();
  const search = await serveSearch(context, index);
  const url = `${search.url}/documents`;
  const target = new OpenSearchTarget(new SearchServer({ url, authorization: undefined, signal }), url, 'p');
  server.commit({ 'urn:a': { title: ['A'] }, 'urn:b': { title: ['B'] } });
  await update(server, target);
  server.restore({ 'urn:a': { title: ['A'] } });
  index.failingRemovals = 2;
  await update(server, target);
  assert.deepEqual(documentsOf(index.documents), { 'urn:a': { title: ['A'] } });
});

test('a directory loses the drafts of a command that was killed', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await update(server, new FileTarget(directory, 'p'));
  const before = (await readdir(directory, { recursive: true })).toSorted();
  const file = before.find((name) => name.startsWith('run-') && name.endsWith('.json'))!;
  await writeFile(join(directory, `${file}.0123abcd`), '{"id":');
  await writeFile(join(directory, 'state.json.89abcdef'), '{');
  await update(server, new FileTarget(directory, 'p'));
  assert.deepEqual((await readdir(directory, { recursive: true })).toSorted(), before);
});

test('a program that does not exist ends the indexer with the error of the server', async (context) => {
  const server = await FakePathpool.start(context);
  server.faults.push({ status: 404 });
  const { target } = await targets['file']!(context);
  await assert.rejects(
    update(server, target),
    (error) => error instanceof PathpoolError && error.status === 404,
  );
});

test('a directory with a state that is none is left alone', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  const newer = '{"format":2,"run":"r","position":"0","complete":true}';
  for (const text of ['{"version":3}', newer]) {
    await writeFile(join(directory, 'state.json'), text);
    const failed = update(server, new FileTarget(directory, 'p'));
    await assert.rejects(failed, (error: Error) => {
      assert.ok(error instanceof TargetError);
      assert.match(error.message, /is not the state of an index\. If a newer release .* use that release/);
      return true;
    });
  }
  assert.deepEqual(await readdir(directory), ['state.json']);
});

test('a directory with the index of another program is left alone', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await update(server, new FileTarget(directory, 'p'));
  await assert.rejects(update(server, new FileTarget(directory, 'q')), (error) => {
    return error instanceof TargetError && error.message.includes("belongs to the program 'p'");
  });
});

test('a directory that cannot be written ends the indexer', async (context) => {
  const file = join(await temporaryDirectory(context), 'file');
  await writeFile(file, '');
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await assert.rejects(update(server, new FileTarget(file, 'p')), TargetError);
});

test('an index that ends when it is up to date writes the whole set after a resync', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await update(server, new FileTarget(directory, 'p'));
  server.commit({ 'urn:a': null, 'urn:b': { title: ['B'] } });
  server.faults.push('resync');
  await update(server, new FileTarget(directory, 'p'));
  assert.deepEqual(await filesIn(directory), Object.fromEntries(server.documents));
});

test('an index is written again although the first request for that fails', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await FakePathpool.start(context);
  server.commit({ 'urn:a': { title: ['A'] } });
  await update(server, new FileTarget(directory, 'p'));
  const before = await readFile(join(directory, 'state.json'), 'utf8');
  server.faults.push({ status: 503 });
  await update(server, new FileTarget(directory, 'p'), signal, { rebuilds: true });
  assert.notEqual(await readFile(join(directory, 'state.json'), 'utf8'), before);
});

/** Brings the index up to date. */
async function update(
  server: Pick<FakePathpool, 'url'>,
  target: Target,
  aborted = signal,
  { rebuilds = false, notice = () => {} }: Partial<Pick<IndexReports, 'notice'> & { rebuilds: boolean }> = {},
): Promise<void> {
  const source = new PathpoolSource({
    url: server.url,
    program: 'p',
    authorization: undefined,
    signal: aborted,
  });
  const reports = { notice, total: () => {}, written: () => {}, complete: () => {} };
  await new Indexer({ source, target, follows: false, rebuilds, reports, signal: aborted }).run();
}

interface Ending {
  readonly writes: number;
  readonly random: () => number;
  readonly interruption: AbortController;
}

/** Interrupts the indexer after some writes, of which the last one may have happened or not. */
function endingAfter(target: Target, { writes, random, interruption }: Ending): Target {
  let left = writes;
  const end = () => {
    interruption.abort(new Error('interrupted'));
    throw interruption.signal.reason;
  };
  return {
    format: target.format,
    name: target.name,
    readState: () => target.readState(),
    removeOtherRuns: (run) => target.removeOtherRuns(run),
    write: async (changes, state) => {
      if (left-- > 0) return target.write(changes, state);
      if (random() < 0.5) await target.write(changes, state);
      end();
    },
  };
}

function randomChanges(random: () => number): Record<string, Document | null> {
  const uris = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `urn:${Math.floor(random() * 12)}`);
  return Object.fromEntries(uris.map((uri) => [uri, random() < 0.3 ? null : { value: random() }]));
}

function documentsOf(found: ReadonlyMap<string, Document>): Record<string, Document> {
  const resources = [...found].filter(([id]) => !id.startsWith('pathpool:state:'));
  return Object.fromEntries(resources.map(([id, document]) => [id, withoutMarks(document)]));
}

function withoutMarks(document: Document): Document {
  const own = Object.entries(document).filter(([name]) => name !== 'id' && !name.startsWith('pathpool_'));
  return Object.fromEntries(own);
}

async function filesIn(directory: string): Promise<Record<string, Document>> {
  const names = await readdir(directory, { recursive: true });
  const files = names.filter((name) => /^run-.*\.json$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
  const documents = texts.map((text) => JSON.parse(text) as Document & { id: string });
  return Object.fromEntries(documents.map((document) => [document.id, withoutMarks(document)]));
}
