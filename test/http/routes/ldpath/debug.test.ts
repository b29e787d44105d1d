import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorData, type Result, toErrorData } from '../../../../src/errors.ts';
import { ldPathDebugRoutes } from '../../../../src/http/routes/ldpath/debug.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { ResultKind, Selection } from '../../../../src/pool/evaluation-request.ts';
import { bodyJson, fakeRequest } from '../../fake-request.ts';
import { fakePrograms, people } from './fake-programs.ts';

function setUp(error?: ErrorData, exists = true, maxStarts = 3) {
  const calls: { selection: Selection; starts: readonly string[]; answer: ResultKind }[] = [];
  const traces: { selection: Selection; starts: readonly string[] }[] = [];
  const service = {
    check: (): Promise<Result<Uint8Array>> =>
      Promise.resolve(
        error?.code === 'parse-error'
          ? { ok: false, error }
          : { ok: true, value: Buffer.from('[{"message":"odd","line":1,"column":2}]') },
      ),
    missing: (starts: readonly string[]) =>
      exists ? undefined : toErrorData(new AppError('resource-not-found', 'No.', { uri: starts[0]! })),
    evaluateAll: (
      selection: Selection,
      starts: readonly string[],
      answer: ResultKind,
    ): Promise<Result<Uint8Array[]>> => {
      calls.push({ selection, starts, answer });
      if (error) return Promise.resolve({ ok: false, error });
      const text = answer === 'details' ? '"result":{"a":[]},"skipped":[],"filter":true' : '{"a":[]}';
      return Promise.resolve({ ok: true, value: starts.map(() => Buffer.from(text)) });
    },
    traceAll: (selection: Selection, starts: readonly string[]): Promise<Result<Uint8Array[]>> => {
      traces.push({ selection, starts });
      const text = '"result":{"a":[]},"skipped":[],"trace":{"nodes":[]}';
      return Promise.resolve({ ok: true, value: starts.map(() => Buffer.from(text)) });
    },
  };
  const router = new Router(ldPathDebugRoutes(service, fakePrograms, { maxBytes: 50, maxStarts }));
  const post = async (query: string, body = 'a = . ;', headers = {}) =>
    await router.handle(fakeRequest('POST', `/ldpath/debug?${query}`, { body, headers }));
  return { calls, traces, post };
}

test('the response has a result for each start resource, in the given order', async () => {
  const { calls, post } = setUp();
  const response = await post('context=urn:b&context[]=urn:a&context=urn:b&context[]=_:x&ns_ex=http://e/');
  assert.deepEqual(bodyJson(response), { 'urn:b': { a: [] }, 'urn:a': { a: [] }, '_:x': { a: [] } });
  assert.deepEqual(Object.keys(bodyJson(response) as object), ['urn:b', 'urn:a', '_:x']);
  assert.equal(calls[0]!.answer, 'result');
  assert.deepEqual(calls[0]!.selection.namespaces, Object.assign(Object.create(null), { ex: 'http://e/' }));
});

test('details add warnings, skipped parts and directives', async () => {
  const { post } = setUp();
  assert.deepEqual(bodyJson(await post('details&context=urn:a')), {
    warnings: [{ message: 'odd', line: 1, column: 2 }],
    results: { 'urn:a': { result: { a: [] }, skipped: [], filter: true } },
  });
});

test('P-72: a trace comes with the details', async () => {
  const { calls, traces, post } = setUp();
  assert.deepEqual(bodyJson(await post('trace=true&context=urn:a')), {
    warnings: [{ message: 'odd', line: 1, column: 2 }],
    results: { 'urn:a': { result: { a: [] }, skipped: [], trace: { nodes: [] } } },
  });
  assert.equal((await post('trace&details&context=urn:a&context=urn:b')).status, 200);
  assert.equal((await post('trace&name=people&context=urn:a', '')).status, 200);
  assert.equal(calls.length, 0);
  assert.deepEqual(
    traces.map(({ starts }) => starts),
    [['urn:a'], ['urn:a', 'urn:b'], ['urn:a']],
  );
  assert.equal(traces[2]!.selection, people);
});

test('P-74: a request for traces has at most 20 start resources', async () => {
  const { traces, post } = setUp(undefined, true, 100);
  const starts = (count: number) => Array.from({ length: count }, (_, i) => `context=urn:${i}`).join('&');
  assert.equal((await post(`trace&${starts(20)}`)).status, 200);
  assert.equal((await post(`trace&${starts(21)}`)).status, 413);
  assert.equal((await post(starts(21))).status, 200);
  assert.equal(traces.length, 1);
});

test('missing, malformed and too many start resources are rejected', async () => {
  const { calls, post } = setUp();
  const code = async (query: string) => (bodyJson(await post(query)) as { code: string }).code;
  assert.equal(await code(''), 'missing-parameter');
  assert.equal(await code('context='), 'missing-parameter');
  assert.equal(await code('context=urn:a&context=oops'), 'bad-iri');
  assert.equal(await code('context=urn:a&context=urn:b&context=urn:c&context=urn:d'), 'too-large');
  assert.equal(calls.length, 0);
});

test('an error concerns the whole request', async () => {
  const missing = toErrorData(new AppError('resource-not-found', 'No.', { uri: 'urn:b' }));
  const response = await setUp(missing).post('context=urn:a&context=urn:b');
  assert.equal(response.status, 404);
  assert.equal((bodyJson(response) as { uri: string }).uri, 'urn:b');
  const parse = setUp(toErrorData(new AppError('parse-error', 'No.')));
  assert.equal((await parse.post('context=urn:a')).status, 400);
  assert.equal(parse.calls.length, 0);
  assert.equal((await setUp().post('context=urn:a', 'x'.repeat(51))).status, 413);
  assert.equal((await setUp().post('context=urn:a', 'a=.;', { accept: 'text/html' })).status, 406);
});

test('1.10: a missing start resource is reported before a 406 and before errors of the program', async () => {
  const parse = toErrorData(new AppError('parse-error', 'No.'));
  assert.equal((await setUp(parse, false).post('context=urn:a')).status, 404);
  assert.equal(
    (await setUp(undefined, false).post('context=urn:a', 'a=.;', { accept: 'text/html' })).status,
    404,
  );
  assert.equal((await setUp(parse, false).post('context=urn:a&ns_ex=nonsense')).status, 400);
});

test('P-43: a stored program can be named, if the body is empty', async () => {
  const { calls, post } = setUp();
  assert.equal((await post('context=urn:a&name=people', '')).status, 200);
  assert.equal(calls[0]!.selection, people);
  const code = async (query: string, body: string) =>
    (bodyJson(await post(`context=urn:a&${query}`, body)) as { code: string }).code;
  assert.equal(await code('name=people', 'a = . ;'), 'bad-arguments');
  assert.equal(await code('name=people&ns_ex=urn:ex:', ''), 'bad-arguments');
  assert.equal(await code('name=places', ''), 'program-not-found');
});
