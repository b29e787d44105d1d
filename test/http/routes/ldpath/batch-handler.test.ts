import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorData, type Result, toErrorData } from '../../../../src/errors.ts';
import { ldPathBatchRoutes } from '../../../../src/http/routes/ldpath/batch-handler.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { Batch } from '../../../../src/pool/batch/batch.ts';
import type { BatchPart } from '../../../../src/pool/batch/output-parts.ts';
import type { StartList } from '../../../../src/pool/batch/start-list.ts';
import type { BatchInput } from '../../../../src/services/ldpath/ldpath.ts';
import { bodyJson, fakeRequest, headerOf } from '../../fake-request.ts';
import { fakePrograms } from './fake-programs.ts';

interface Script {
  readonly parts?: readonly BatchPart[];
  readonly error?: ErrorData;
  readonly cancelled?: boolean;
  readonly process?: string;
}

function setUp({ parts = [], error, cancelled = false, process }: Script = {}) {
  const batches: object[] = [];
  const batch = {
    info: { group: 'LDPath' },
    name: 'batch 4',
    delivered: parts.reduce((sum, { count }) => sum + count, 0),
    omitted: 0,
    set: null,
    errors: parts.reduce((sum, { errors }) => sum + errors.length, 0),
    cancelled,
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      yield* parts;
    },
  } as unknown as Batch;
  const service = {
    commit: 'identity.7',
    batch: (input: BatchInput): Promise<Result<Batch>> => {
      batches.push({ ...input, starts: [...(input.starts as StartList)] });
      return Promise.resolve(error ? { ok: false, error } : { ok: true, value: batch });
    },
    frame: () => Promise.resolve({ ok: true as const, value: { head: '[\n', tail: '\n]\n', lead: 2 } }),
  };
  const router = new Router(
    ldPathBatchRoutes(service, fakePrograms, {
      base: 'http://base',
      maxBytes: 500,
      maxStarts: 3,
      run: 'run',
      process,
    }),
  );
  const post = async (body: unknown, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return await router.handle(fakeRequest('POST', '/ldpath/batch', { body: text, headers }));
  };
  return { post, batches };
}

async function linesOf(response: { body?: unknown }): Promise<Record<string, unknown>[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function line(uri: string): string {
  return `{"uri":"${uri}","result":[]}\n`;
}

/** What parts of a list have. */
const listed = { omitted: 0, after: null };

const good = { path: '.', uris: ['urn:a'] };

test('T-30: in a cluster the link to the task names the process', async () => {
  const response = await setUp({ parts: [], process: 'north' }).post(good);
  assert.equal(headerOf(response, 'link'), '<http://base/tasks/LDPath/batch%204%40north>; rel="status"');
});

test('P-21, P-22: results and errors are streamed as lines in order, and the last line says that they are complete', async () => {
  const notFound = toErrorData(new AppError('resource-not-found', 'No b.'));
  const broken = toErrorData(new Error('secret'));
  const bytes = Buffer.from(line('urn:a') + line('urn:c'));
  const errors = [
    { at: line('urn:a').length, uri: 'urn:b', error: notFound },
    { at: bytes.length, uri: 'urn:d', error: broken },
  ];
  const { post } = setUp({
    parts: [
      { bytes, errors, count: 4, ...listed, release: () => {} },
      { bytes: Buffer.from(line('urn:e')), errors: [], count: 1, ...listed, release: () => {} },
    ],
  });
  const response = await post(good);
  assert.equal(response.status, 200);
  assert.equal(headerOf(response, 'content-type'), 'application/x-ndjson');
  assert.equal(headerOf(response, 'cache-control'), 'no-store');
  assert.equal(headerOf(response, 'x-accel-buffering'), 'no');
  assert.equal(headerOf(response, 'link'), '<http://base/tasks/LDPath/batch%204>; rel="status"');
  const lines = await linesOf(response);
  const { ms, ...last } = lines.pop()!;
  assert.equal(typeof ms, 'number');
  assert.deepEqual(last, { done: true, count: 5, errors: 2 });
  assert.deepEqual(
    lines.map(({ uri }) => uri),
    ['urn:a', 'urn:b', 'urn:c', 'urn:d', 'urn:e'],
  );
  assert.deepEqual(lines[1]!['error'], { status: 404, code: 'resource-not-found', detail: 'No b.' });
  const internal = lines[3]!['error'] as { status: number; detail: string };
  assert.equal(internal.status, 500);
  assert.doesNotMatch(internal.detail, /secret/);
});

test('P-25: the last line of a cancelled batch says that it was cancelled', async () => {
  const { post } = setUp({
    parts: [{ bytes: Buffer.from(line('urn:a')), errors: [], count: 1, ...listed, release: () => {} }],
    cancelled: true,
  });
  const lines = await linesOf(await post(good));
  assert.deepEqual(lines.at(-1), { done: false, cancelled: true, count: 1, errors: 0 });
});

test('the service gets the members of the body or their defaults', async () => {
  const { post, batches } = setUp();
  await post({ program: 'a = . ;', uris: ['urn:a', 'urn:a'] });
  await post({
    path: 'ex:p',
    uris: ['urn:b'],
    ordered: true,
    missing: 'empty',
    namespaces: { ex: 'http://example.org/' },
    unknown: 1,
  });
  assert.deepEqual(batches, [
    {
      selection: { mode: 'program', source: 'a = . ;' },
      starts: ['urn:a', 'urn:a'],
      ordered: false,
      lenient: false,
    },
    {
      selection: { mode: 'path', source: 'ex:p', namespaces: { ex: 'http://example.org/' } },
      starts: ['urn:b'],
      ordered: true,
      lenient: true,
    },
  ]);
});

for (const [what, body, status, code] of [
  ['no JSON', '{"path":', 400, 'parse-error'],
  ['JSON that is no object', '[]', 400, 'bad-arguments'],
  ['null', 'null', 400, 'bad-arguments'],
  ['neither program nor path', { uris: ['urn:a'] }, 400, 'missing-parameter'],
  ['both', { ...good, program: 'a = . ;' }, 400, 'bad-arguments'],
  ['a path that is no text', { ...good, path: 1 }, 400, 'bad-arguments'],
  ['no URIs', { path: '.' }, 400, 'missing-parameter'],
  ['an empty list', { path: '.', uris: [] }, 400, 'bad-arguments'],
  ['URIs that are no texts', { path: '.', uris: [1] }, 400, 'bad-arguments'],
  ['too many', { path: '.', uris: ['urn:a', 'urn:b', 'urn:c', 'urn:d'] }, 413, 'too-large'],
  ['too much', { path: ' '.repeat(500), uris: ['urn:a'] }, 413, 'too-large'],
  ['an order that is no flag', { ...good, ordered: 'yes' }, 400, 'bad-arguments'],
  ['another way of missing', { ...good, missing: 'skip' }, 400, 'bad-arguments'],
  ['namespaces that are no texts', { ...good, namespaces: { a: 1 } }, 400, 'bad-arguments'],
  ['a namespace that is no IRI', { ...good, namespaces: { a: 'b' } }, 400, 'bad-iri'],
] as const) {
  test(`a body with ${what} gets ${status} ${code} before evaluations start`, async () => {
    const { post, batches } = setUp();
    const response = await post(body);
    assert.equal(response.status, status);
    assert.equal((bodyJson(response) as { code: string }).code, code);
    assert.equal(batches.length, 0);
  });
}

test('1.10: the place of malformed JSON is reported even if the parser of JavaScript gives none', async () => {
  for (const [body, place] of [
    ['nonsense', [1, 2]],
    ['{"path":\n zz, "uris": []}', [2, 2]],
    ['{"path":"\u{1f600}" oops}', [1, 13]],
    ['{"path":', [1, 9]],
  ] as const) {
    const problem = bodyJson(await setUp().post(body)) as Record<string, unknown>;
    assert.deepEqual([problem['line'], problem['column']], place, body);
  }
});

test('the place of malformed JSON is reported', async () => {
  const {
    line: row,
    column,
    source,
  } = bodyJson(await setUp().post('{"path":".",\n  oops')) as Record<string, unknown>;
  assert.deepEqual([row, column, source], [2, 3, 'body']);
});

test('P-20: a program that does not compile and a full queue get ordinary error responses', async () => {
  const parse = toErrorData(new AppError('parse-error', 'No.', { line: 1, column: 2, source: 'path' }));
  assert.equal((await setUp({ error: parse }).post(good)).status, 400);
  const full = toErrorData(new AppError('overloaded', 'No.', { retryAfter: 3 }));
  const response = await setUp({ error: full }).post(good);
  assert.deepEqual([response.status, headerOf(response, 'retry-after')], [503, '3']);
});

test('a client that accepts neither lines nor JSON gets 406', async () => {
  const { post } = setUp();
  assert.equal((await post(good, { accept: 'text/html' })).status, 406);
  assert.equal((await post(good, { accept: 'application/json' })).status, 200);
  assert.equal((await post(good, { accept: 'application/x-ndjson' })).status, 200);
});
