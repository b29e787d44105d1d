import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationHandlers, ldPathRoutes } from '../../../../src/http/routes/ldpath/routes.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { EvaluationResult, Selection } from '../../../../src/pool/evaluation-request.ts';
import { bodyJson, type FakeRequestOptions, fakeRequest, headerOf } from '../../fake-request.ts';
import { fakePrograms } from './fake-programs.ts';

const TARGET = '/ldpath/program?program=a=.;&uri=urn:a';

function setUp() {
  const selections: Selection[] = [];
  const result: EvaluationResult = { ok: true, value: Buffer.from('x'), sequence: 7 };
  const service = {
    evaluate: (selection: Selection) => {
      selections.push(selection);
      return Promise.resolve(result);
    },
    check: () => Promise.resolve(result),
    sequence: 7,
    state: (sequence: number) => `s${sequence}`,
    missing: () => undefined,
  };
  const router = new Router(
    ldPathRoutes(new EvaluationHandlers(service, fakePrograms, { maxBytes: 100, run: 'c' })),
  );
  const ask = async (target: string, options?: FakeRequestOptions, method = 'GET') =>
    await router.handle(fakeRequest(method, target, options));
  return { selections, ask };
}

const shapes = [
  ['values', 'application/vnd.pathpool.values+json', ''],
  ['csv', 'text/csv', '; charset=utf-8'],
  ['tsv', 'text/tab-separated-values', '; charset=utf-8'],
  ['solr', 'application/vnd.pathpool.solr+json', ''],
  ['bulk', 'application/vnd.elasticsearch+x-ndjson', ''],
  ['jsonld', 'application/ld+json', ''],
] as const;

for (const [name, type, charset] of shapes) {
  test(`P-50: the format ${name} is requested by its name, its media type or Accept`, async () => {
    const { selections, ask } = setUp();
    const accept = { headers: { accept: `text/html;q=0.5, ${type};q=0.9` } };
    for (const response of [
      await ask(`${TARGET}&format=${name.toUpperCase()}`),
      await ask(`${TARGET}&format=${type}`, { headers: { accept: 'text/html' } }),
      await ask(TARGET, accept),
    ]) {
      assert.equal(response.status, 200);
      assert.equal(headerOf(response, 'content-type'), type + charset);
      assert.equal(headerOf(response, 'etag'), `W/"s7-${name}.c"`);
    }
    const posted = await ask('/ldpath/program?uri=urn:a', { body: 'a = . ;', ...accept }, 'POST');
    assert.deepEqual(posted.headers, [
      ['Content-Type', type + charset],
      ['Cache-Control', 'no-store'],
    ]);
    assert.deepEqual(
      selections.map(({ format }) => format),
      [name, name, name, name],
    );
  });
}

test('P-50: wildcards and JSON select nodes', async () => {
  const { selections, ask } = setUp();
  for (const accept of ['*/*', 'application/*', 'application/json', 'text/csv;q=0.5, application/json']) {
    assert.equal(headerOf(await ask(TARGET, { headers: { accept } }), 'content-type'), 'application/json');
  }
  assert.equal(headerOf(await ask(`${TARGET}&format=nodes`), 'etag'), 'W/"s7-json.c"');
  assert.deepEqual(new Set(selections.map(({ format }) => format)), new Set([undefined]));
});

test('P-50: an unknown format is 406 with the formats that there are', async () => {
  const { ask } = setUp();
  for (const target of [`${TARGET}&format=parquet`, `${TARGET}&format=image/png`]) {
    const response = await ask(target);
    assert.equal(response.status, 406);
    const { available } = bodyJson(response) as { available: string[] };
    assert.deepEqual(available, ['application/json', ...shapes.map(([, type]) => type)]);
  }
});

test('a tag of one format does not match another', async () => {
  const { ask } = setUp();
  const headers = { 'if-none-match': 'W/"s7-csv.c"' };
  assert.equal((await ask(`${TARGET}&format=csv`, { headers })).status, 304);
  assert.equal((await ask(`${TARGET}&format=tsv`, { headers })).status, 200);
});

test('P-52: the separator is one ASCII character, which only CSV and TSV use', async () => {
  const { selections, ask } = setUp();
  await ask(`${TARGET}&format=csv&separator=%20`);
  await ask(`${TARGET}&format=tsv&separator=;`);
  await ask(`${TARGET}&format=solr&separator=;`);
  assert.deepEqual(
    selections.map(({ separator }) => separator),
    [' ', ';', undefined],
  );
  for (const separator of ['', 'ab', 'n', 'T', '%22', '%5C', '%09', '%0A', '%C3%BC']) {
    const response = await ask(`${TARGET}&format=csv&separator=${separator}`);
    assert.equal((bodyJson(response) as { code: string }).code, 'bad-arguments', separator);
  }
});
