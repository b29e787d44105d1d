import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ldPathBatchRoutes } from '../../../../../src/http/routes/ldpath/batch-handler.ts';
import { Router } from '../../../../../src/http/server/router.ts';
import type { Batch } from '../../../../../src/pool/batch/batch.ts';
import type { BatchPart } from '../../../../../src/pool/batch/output-parts.ts';
import type { StartPosition } from '../../../../../src/pool/batch/start-position.ts';
import type { BatchInput } from '../../../../../src/services/ldpath/ldpath.ts';
import { bodyJson, fakeRequest } from '../../../fake-request.ts';
import { fakePrograms } from '../fake-programs.ts';

interface Script {
  readonly parts?: readonly BatchPart[];
  /** The position at which `limit` ended the set. */
  readonly rest?: StartPosition | null;
  readonly cancelled?: boolean;
  readonly run?: string;
  readonly commit?: string;
}

type Line = Readonly<Record<string, unknown>>;

function setUp({
  parts = [],
  rest = null,
  cancelled = false,
  run = 'run',
  commit = 'identity.7',
}: Script = {}) {
  const inputs: BatchInput[] = [];
  const batch = {
    info: { group: 'LDPath' },
    name: 'batch 4',
    delivered: 0,
    errors: 0,
    omitted: 0,
    set: { rest },
    total: 12,
    cancelled,
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      for (const part of parts) {
        batch.delivered += part.count;
        batch.omitted += part.omitted;
        yield part;
      }
    },
  };
  const service = {
    commit,
    frame: () => assert.fail('not used'),
    batch: (input: BatchInput) => {
      inputs.push(input);
      return Promise.resolve({ ok: true, value: batch as unknown as Batch } as const);
    },
  };
  const options = { base: '', maxBytes: 500, maxStarts: 3, run };
  const router = new Router(ldPathBatchRoutes(service, fakePrograms, options));
  const post = async (body: object) =>
    await router.handle(fakeRequest('POST', '/ldpath/batch', { body: JSON.stringify(body) }));
  const lines = async (body: object): Promise<Line[]> => {
    const chunks: Uint8Array[] = [];
    const response = await post(body);
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const texts = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
    return texts.map((text) => JSON.parse(text) as Line);
  };
  return { inputs, post, lines };
}

const all = { path: '.', starts: { subjects: true } };

/** A part with this many results up to a member. */
function part(count: number, omitted: number, id: number): BatchPart {
  const bytes = Buffer.from('{"uri":"urn:a","result":[]}\n');
  return { bytes, errors: [], count, omitted, after: { generation: 3, id }, release: () => {} };
}

test('P-27: the response for a set begins with position and total, and ends with what was left out', async () => {
  const { lines } = setUp({ parts: [part(5, 2, 9), part(3, 0, 12)] });
  const [first, , , last, ...others] = await lines(all);
  assert.deepEqual(first, { position: 'identity.7', total: 12 });
  const { ms, ...rest } = last!;
  assert.equal(typeof ms, 'number');
  assert.deepEqual(rest, { done: true, count: 6, errors: 0, filtered: 2, position: 'identity.7' });
  assert.deepEqual(others, []);
});

test('P-28: results in order are followed by cursors, with which a request goes on', async () => {
  const { lines, inputs } = setUp({ parts: [part(600, 0, 9), part(500, 100, 12), part(3, 0, 15)] });
  const found = await lines({ ...all, ordered: true });
  const cursors = found.filter(({ cursor }) => cursor !== undefined);
  assert.deepEqual(
    cursors.map(({ count }) => count),
    [1000],
  );
  await lines({ ...all, cursor: cursors[0]!['cursor'], limit: 5 });
  const after = { generation: 3, id: 12 };
  assert.deepEqual(inputs[1]!.starts, { set: { kind: 'subjects' }, after, limit: 5 });
});

test('P-28: a cursor keeps the commit as of which the set was begun', async () => {
  const first = setUp({ rest: { generation: 0, id: 4 } });
  const { cursor } = (await first.lines({ ...all, limit: 1 })).at(-1)!;
  const second = setUp({ commit: 'identity.8' });
  const again = await second.lines({ ...all, cursor });
  assert.equal(again[0]!['position'], 'identity.7');
});

test('P-28: where a limit ends a set, the last line has a cursor, in order or not', async () => {
  const script = { parts: [part(1, 0, 4)], rest: { generation: 0, id: 4 } };
  for (const ordered of [true, false]) {
    const last = (await setUp(script).lines({ ...all, limit: 1, ordered })).at(-1)!;
    assert.equal(typeof last['cursor'], 'string');
  }
  assert.equal((await setUp({ ...script, rest: null }).lines(all)).at(-1)!['cursor'], undefined);
});

test('P-28: a cancelled set has a cursor if its results are in order', async () => {
  const script = { parts: [part(1, 0, 4)], cancelled: true };
  const ordered = (await setUp(script).lines({ ...all, ordered: true })).at(-1)!;
  assert.equal(ordered['cancelled'], true);
  assert.equal(typeof ordered['cursor'], 'string');
  assert.equal((await setUp(script).lines(all)).at(-1)!['cursor'], undefined);
});

test('P-28: a cursor of another process gets 410 position-gone', async () => {
  const { cursor } = (await setUp({ rest: { generation: 0, id: 4 }, run: 'before' }).lines(all)).at(-1)!;
  const { post, inputs } = setUp();
  const response = await post({ ...all, cursor });
  assert.equal(response.status, 410);
  assert.equal((bodyJson(response) as { code: string }).code, 'position-gone');
  assert.equal(inputs.length, 0);
});

test('P-27, P-43: a stored program has the set that it declares, or else all subjects, unless the request has another', async () => {
  const { lines, inputs } = setUp();
  await lines({ name: 'people' });
  await lines({ name: 'aged' });
  await lines({ name: 'aged', limit: 3, starts: { graph: 'urn:g' } });
  await lines({ name: 'aged', uris: ['urn:a'] });
  const sets = inputs.map(({ starts }) => ('set' in starts ? starts.set : [...starts]));
  assert.deepEqual(sets, [
    { kind: 'subjects' },
    { kind: 'type', iri: 'http://xmlns.com/foaf/0.1/Person' },
    { kind: 'graph', iri: 'urn:g' },
    ['urn:a'],
  ]);
});

for (const [what, members, code] of [
  ['both starts and URIs', { starts: { subjects: true }, uris: ['urn:a'] }, 'bad-arguments'],
  ['a set of no known kind', { starts: { every: 'thing' } }, 'bad-arguments'],
  ['a class that is no IRI', { starts: { type: 'a b' } }, 'bad-iri'],
  ['a way of missing for a set', { ...all, missing: 'empty' }, 'bad-arguments'],
  ['a limit of 0', { ...all, limit: 0 }, 'bad-arguments'],
  ['a limit that is no number', { ...all, limit: '5' }, 'bad-arguments'],
  ['a cursor that is none', { ...all, cursor: 'abc' }, 'bad-arguments'],
  ['a cursor that is no text', { ...all, cursor: 5 }, 'bad-arguments'],
  ['a limit for URIs', { uris: ['urn:a'], limit: 1 }, 'bad-arguments'],
  ['a cursor for URIs', { uris: ['urn:a'], cursor: '' }, 'bad-arguments'],
] as const) {
  test(`a body with ${what} gets 400 ${code} before evaluations start`, async () => {
    const { post, inputs } = setUp();
    const response = await post({ path: '.', ...members });
    assert.equal(response.status, 400);
    assert.equal((bodyJson(response) as { code: string }).code, code);
    assert.equal(inputs.length, 0);
  });
}
