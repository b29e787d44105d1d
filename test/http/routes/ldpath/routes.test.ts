import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { AppError, type ErrorData, toErrorData } from '../../../../src/errors.ts';
import { EvaluationHandlers, ldPathRoutes } from '../../../../src/http/routes/ldpath/routes.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { EvaluationResult, Selection } from '../../../../src/pool/evaluation-request.ts';
import { bodyJson, bodyText, type FakeRequestOptions, fakeRequest, headerOf } from '../../fake-request.ts';
import { fakePrograms, people } from './fake-programs.ts';

const fine: EvaluationResult = { ok: true, value: Buffer.from('[]'), sequence: 7 };

function setUp(result: EvaluationResult = fine, exists = true) {
  const evaluations: (Selection & { start: string })[] = [];
  const service = {
    evaluate: (selection: Selection, start: string) => {
      evaluations.push({ ...selection, start });
      return Promise.resolve(result);
    },
    check: () => Promise.resolve(result),
    sequence: 7,
    state: (sequence: number) => `s${sequence}`,
    missing: () => (exists ? undefined : toErrorData(new AppError('resource-not-found', 'No.'))),
  };
  const router = new Router(
    ldPathRoutes(new EvaluationHandlers(service, fakePrograms, { maxBytes: 100, run: 'c' })),
  );
  const ask = async (method: string, target: string, options?: FakeRequestOptions) =>
    await router.handle(fakeRequest(method, target, options));
  return { service, evaluations, ask };
}

const uri = 'uri=http%3A%2F%2Fexample.org%2Fanna';
const start = 'http://example.org/anna';
const code = (response: Parameters<typeof bodyJson>[0]) => (bodyJson(response) as { code: string }).code;

test('P-4, P-9: a path is evaluated from its start resource, and the response is JSON with a tag', async () => {
  const { evaluations, ask } = setUp();
  const response = await ask('GET', `/ldpath/path?path=foaf%3Aknows+%2F+foaf%3Aname&${uri}`);
  assert.equal(response.status, 200);
  assert.equal(bodyText(response), '[]');
  assert.deepEqual(response.headers, [
    ['Content-Type', 'application/json'],
    ['ETag', 'W/"s7-json.c"'],
    ['Vary', 'Accept'],
    ['Cache-Control', 'no-cache'],
  ]);
  assert.deepEqual(evaluations, [{ mode: 'path', source: 'foaf:knows / foaf:name', start }]);
});

test('a program is a parameter or the body, and a body that is not empty takes precedence', async () => {
  const { evaluations, ask } = setUp();
  await ask('GET', `/ldpath/program?program=a=.;&${uri}`);
  await ask('POST', `/ldpath/program?program=a=.;&${uri}`, { body: 'b = . ;' });
  await ask('POST', `/ldpath/program?program=a=.;&${uri}`);
  assert.deepEqual(
    evaluations.map(({ mode, source }) => `${mode} ${source}`),
    ['program a=.;', 'program b = . ;', 'program a=.;'],
  );
});

test('a posted program may be compressed, and in another charset', async () => {
  const { evaluations, ask } = setUp();
  await ask('POST', `/ldpath/program?${uri}`, {
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync('c = "ü" ;'),
  });
  await ask('POST', `/ldpath/program?${uri}`, {
    headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Buffer.from('d = "ü" ;', 'latin1'),
  });
  assert.deepEqual(
    evaluations.map(({ source }) => source),
    ['c = "ü" ;', 'd = "ü" ;'],
  );
});

test('a posted program that cannot be decoded is rejected, and its decompression is limited', async () => {
  const { evaluations, ask } = setUp();
  const post = (body: string | Uint8Array, headers = {}) =>
    ask('POST', `/ldpath/program?${uri}`, { body, headers });
  const gzip = { 'content-encoding': 'gzip' };
  assert.equal(code(await post(gzipSync('abc').subarray(0, 12), gzip)), 'parse-error');
  assert.equal(code(await post(gzipSync('x'.repeat(1000)), gzip)), 'too-large');
  assert.equal(code(await post('x'.repeat(101))), 'too-large');
  assert.equal(code(await post(Buffer.from([0xff, 0xfe, 0xfd]))), 'parse-error');
  assert.equal(code(await post('x', { 'content-encoding': 'br' })), 'unsupported-coding');
  assert.equal(
    code(await post('x', { 'content-type': 'text/plain; charset=klingon' })),
    'unsupported-media-type',
  );
  assert.equal(evaluations.length, 0);
});

test('blank nodes can be start resources, and a request can declare prefixes', async () => {
  const { evaluations, ask } = setUp();
  await ask('GET', '/ldpath/path?path=.&uri=_:b0&ns_ex=http%3A%2F%2Fe%2F%23');
  assert.equal(evaluations[0]!.start, '_:b0');
  assert.deepEqual({ ...evaluations[0]!.namespaces }, { ex: 'http://e/#' });
});

test('P-5: the place where a posted program is not UTF-8 is reported', async () => {
  const body = Buffer.from('a = . ;\n b = "\xe9" ;', 'latin1');
  const response = await setUp().ask('POST', `/ldpath/program?${uri}`, { body });
  const { line, column, source } = bodyJson(response) as Record<string, unknown>;
  assert.deepEqual([response.status, line, column, source], [400, 2, 7, 'body']);
});

test('missing parameters and malformed start resources get 400', async () => {
  const { evaluations, ask } = setUp();
  assert.equal(code(await ask('GET', `/ldpath/path?${uri}`)), 'missing-parameter');
  assert.equal(code(await ask('GET', '/ldpath/path?path=.')), 'missing-parameter');
  assert.equal(code(await ask('GET', '/ldpath/path?path=.&uri=')), 'missing-parameter');
  assert.equal(code(await ask('GET', `/ldpath/program?path=.&${uri}`)), 'missing-parameter');
  assert.equal(code(await ask('POST', `/ldpath/program?${uri}`)), 'missing-parameter');
  assert.equal(code(await ask('POST', '/ldpath/program', { body: 'a = . ;' })), 'missing-parameter');
  assert.equal(code(await ask('GET', '/ldpath/path?path=.&uri=anna')), 'bad-iri');
  assert.equal(code(await ask('GET', '/ldpath/path?path=.&uri=_:')), 'bad-iri');
  assert.equal(code(await ask('GET', `/ldpath/path?path=.&ns_ex=nonsense&${uri}`)), 'bad-iri');
  assert.equal(code(await ask('GET', '/ldpath/path?path=%&uri=urn:a')), 'bad-query');
  assert.equal(evaluations.length, 0);
});

test('a client that does not accept JSON gets 406 before any evaluation', async () => {
  const { evaluations, ask } = setUp();
  const response = await ask('GET', `/ldpath/path?path=.&${uri}`, { headers: { accept: 'text/html' } });
  assert.equal(response.status, 406);
  assert.equal(evaluations.length, 0);
});

test('1.10: errors of parameters, then of the target, are reported before a 406', async () => {
  const headers = { accept: 'text/html' };
  const broken = toErrorData(new AppError('parse-error', 'No.', { source: 'path' }));
  for (const target of ['/ldpath/path?path=.', '/ldpath/program?program=a=.;']) {
    const ask = async (result: EvaluationResult, exists: boolean) =>
      (await setUp(result, exists).ask('GET', `${target}&${uri}`, { headers })).status;
    assert.equal(await ask({ ok: false, error: broken }, false), 400);
    assert.equal(await ask(fine, false), 404);
    assert.equal(await ask(fine, true), 406);
  }
});

test('1.10: errors of the target are reported before a 406, and a 406 before errors of a posted program', async () => {
  const broken = toErrorData(new AppError('parse-error', 'No.', { source: 'program' }));
  const post = async (exists: boolean, headers = {}, query = uri) =>
    (
      await setUp({ ok: false, error: broken }, exists).ask('POST', `/ldpath/program?${query}`, {
        headers,
        body: 'a = ;',
      })
    ).status;
  const html = { accept: 'text/html' };
  assert.equal(await post(false, html), 404);
  assert.equal(await post(false, { 'content-encoding': 'br' }), 404);
  assert.equal(await post(false), 404);
  assert.equal(await post(true, html), 406);
  assert.equal(await post(true), 400);
  assert.equal(await post(false, html, `${uri}&ns_ex=nonsense`), 400);
});

test('errors of an evaluation become error responses', async () => {
  const errors: [ErrorData, number][] = [
    [toErrorData(new AppError('parse-error', 'No.', { line: 1, column: 12, source: 'path' })), 400],
    [toErrorData(new AppError('resource-not-found', 'No.', { uri: 'urn:a' })), 404],
    [toErrorData(new AppError('too-large', 'No.')), 413],
    [toErrorData(new AppError('overloaded', 'No.', { retryAfter: 3 })), 503],
    [toErrorData(new AppError('time-limit', 'No.')), 504],
  ];
  for (const [error, status] of errors) {
    const { ask } = setUp({ ok: false, error });
    const response = await ask('GET', `/ldpath/path?path=.&${uri}`);
    assert.equal(response.status, status);
    if (status === 503) assert.equal(headerOf(response, 'retry-after'), '3');
  }
  const broken = setUp({ ok: false, error: toErrorData(new Error('boom')) });
  await assert.rejects(broken.ask('GET', `/ldpath/path?path=.&${uri}`), /boom/);
});

const target = `/ldpath/path?path=.&${uri}`;

test('P-9: a client that has the result for the newest data gets 304, and nothing is evaluated', async () => {
  const { evaluations, ask } = setUp();
  for (const known of ['W/"s7-json.c"', '"s7-json.c"', '"x", W/"s7-json.c.gz"']) {
    for (const method of ['GET', 'HEAD']) {
      for (const path of [target, `/ldpath/program?program=a=.;&${uri}`]) {
        const response = await ask(method, path, { headers: { 'If-None-Match': known } });
        assert.equal(response.status, 304, known);
        assert.deepEqual(response.headers, [
          ['ETag', 'W/"s7-json.c"'],
          ['Vary', 'Accept'],
          ['Cache-Control', 'no-cache'],
        ]);
      }
    }
  }
  assert.equal(evaluations.length, 0);
  const missing = await ask('GET', '/ldpath/path?path=.', { headers: { 'If-None-Match': '"s7-json.c"' } });
  assert.equal(missing.status, 400);
});

test('P-9: another tag is evaluated, and * too, because only that shows whether there is a result', async () => {
  const { evaluations, ask } = setUp();
  const status = async (known: string) =>
    (await ask('GET', target, { headers: { 'If-None-Match': known } })).status;
  for (const other of ['W/"s6-json.c"', 'W/"s7-json.d"', 'W/"s7-csv.c"', 'nonsense']) {
    assert.equal(await status(other), 200, other);
  }
  assert.equal(await status('*'), 304);
  assert.equal(evaluations.length, 5);
  const none = setUp({ ok: false, error: toErrorData(new AppError('resource-not-found', 'No.')) });
  assert.equal((await none.ask('GET', target, { headers: { 'If-None-Match': '*' } })).status, 404);
});

test('P-9: the tag is that of the data that were evaluated, not of the newest ones', async () => {
  const { service, ask } = setUp();
  service.sequence = 8;
  assert.equal(headerOf(await ask('GET', target), 'etag'), 'W/"s7-json.c"');
  const again = await ask('GET', target, { headers: { 'If-None-Match': 'W/"s7-json.c"' } });
  assert.equal(again.status, 200);
});

test('P-9: If-Match can match only with *, and is checked after the parameters and the target', async () => {
  const headers = { 'If-Match': 'W/"s7-json.c"' };
  assert.equal(code(await setUp().ask('GET', target, { headers })), 'precondition-failed');
  assert.equal(code(await setUp(fine, false).ask('GET', target, { headers })), 'resource-not-found');
  assert.equal((await setUp().ask('GET', target, { headers: { 'If-Match': '*' } })).status, 200);
});

test('P-9: a response to POST has no tag and is not stored', async () => {
  const { ask } = setUp();
  const headers = { 'If-None-Match': 'W/"s7-json.c"' };
  const response = await ask('POST', `/ldpath/program?${uri}`, { headers, body: 'a = . ;' });
  assert.deepEqual([response.status, headerOf(response, 'etag')], [200, undefined]);
  assert.equal(headerOf(response, 'cache-control'), 'no-store');
});

test('P-43: a stored program can be named wherever a program may be given', async () => {
  const { evaluations, ask } = setUp();
  assert.equal((await ask('GET', `/ldpath/program?name=people&${uri}`)).status, 200);
  assert.equal((await ask('POST', `/ldpath/program?name=people&${uri}`)).status, 200);
  assert.deepEqual(evaluations, [
    { ...people, start },
    { ...people, start },
  ]);
});

test('P-43: a request must not have a stored program and another program or prefixes', async () => {
  const { evaluations, ask } = setUp();
  const target = `/ldpath/program?name=people&${uri}`;
  assert.equal(code(await ask('GET', `${target}&program=a=.;`)), 'bad-arguments');
  assert.equal(code(await ask('GET', `${target}&ns_ex=urn:ex:`)), 'bad-arguments');
  assert.equal(code(await ask('POST', target, { body: 'a = . ;' })), 'bad-arguments');
  assert.equal(code(await ask('POST', `${target}&program=a=.;`)), 'bad-arguments');
  assert.equal(code(await ask('GET', '/ldpath/program?name=people')), 'missing-parameter');
  assert.equal(code(await ask('GET', `/ldpath/program?name=places&${uri}`)), 'program-not-found');
  assert.equal(code(await ask('POST', `/ldpath/program?name=places&${uri}`)), 'program-not-found');
  assert.equal(evaluations.length, 0);
});

test('P-9: a result of a stored program has no tag of data that may have another program', async () => {
  const { service, ask } = setUp();
  service.sequence = 6;
  const tag = headerOf(await ask('GET', `/ldpath/program?name=people&${uri}`), 'etag');
  assert.equal(tag, 'W/"s6-json.c"');
});
