import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from '../../../../src/base/byte-budget.ts';
import { failure } from '../../../../src/errors.ts';
import { bodyJson, bodyText, headerOf } from '../../fake-request.ts';
import { base, FakeSparql, FORM, forbidden, QUERY, target, UPDATE } from './fakes.ts';

const SELECT = 'SELECT * { ?s ?p ?o }';
const CONSTRUCT = 'CONSTRUCT WHERE { ?s ?p ?o }';
const JSON_TYPE = 'application/sparql-results+json';
const get = (query = SELECT, more: Record<string, string> = {}) => target('/sparql', { query, ...more });

test('a query can be a parameter, a form or a body', async () => {
  for (const path of ['/sparql', '/query', '/sparql/select', '/sparql/']) {
    const sparql = new FakeSparql();
    const form = new URLSearchParams({ query: SELECT }).toString();
    const responses = [
      await sparql.ask('GET', target(path, { query: SELECT })),
      await sparql.post(path, FORM, form),
      await sparql.post(path, `${FORM}; charset=UTF-8`, form),
      await sparql.post(path, QUERY, SELECT),
      await sparql.post(path, `${QUERY};charset=utf-8`, SELECT),
    ];
    for (const response of responses) {
      assert.deepEqual([response.status, bodyText(response)], [200, 'result']);
      assert.equal(headerOf(response, 'content-type'), JSON_TYPE);
      assert.equal(headerOf(response, 'vary'), 'Accept');
      assert.equal(headerOf(response, 'cache-control'), 'no-cache');
    }
    const expected = { text: SELECT, baseIri: `${base}/sparql`, dataset: undefined, mediaType: JSON_TYPE };
    // What the request shows of the text is an optional help for the thread.
    const asked = sparql.asked.map(({ facts: _, ...query }) => query);
    assert.deepEqual(asked, Array(5).fill(expected));
  }
});

test('a request can name its graphs in the URL and in the form', async () => {
  const sparql = new FakeSparql();
  const graphs =
    '&default-graph-uri=http://e/a%2Bb&default-graph-uri=http://e/c+d&named-graph-uri=http://e/n';
  await sparql.ask('GET', get() + graphs);
  await sparql.post('/sparql', FORM, `query=ASK{}${graphs}`);
  await sparql.post(`/sparql?${graphs}`, QUERY, SELECT);
  const dataset = { defaultGraphs: ['http://e/a+b', 'http://e/c+d'], namedGraphs: ['http://e/n'] };
  assert.deepEqual(
    sparql.asked.map((query) => query.dataset),
    [dataset, dataset, dataset],
  );
  await sparql.ask('GET', get(SELECT, { 'named-graph-uri': 'urn:g' }));
  assert.deepEqual(sparql.asked.at(-1)?.dataset, { defaultGraphs: [], namedGraphs: ['urn:g'] });
  const relative = await sparql.ask('GET', get(SELECT, { 'default-graph-uri': 'g' }));
  assert.deepEqual([relative.status, relative.code], [400, 'bad-iri']);
});

test('a blank graph name is rejected, and not ignored', async () => {
  const sparql = new FakeSparql();
  for (const [kind, name] of [
    ['query=ASK{}', 'default-graph-uri'],
    ['query=ASK{}', 'named-graph-uri'],
    ['update=CLEAR+ALL', 'using-graph-uri'],
    ['update=CLEAR+ALL', 'using-named-graph-uri'],
  ]) {
    for (const blank of [name, `${name}=`, `${name}=%20`, `${name}=urn:g&${name}=`]) {
      const response = await sparql.post('/sparql', FORM, `${kind}&${blank}`);
      assert.deepEqual([response.status, response.code], [400, 'bad-iri'], `${kind} ${blank}`);
    }
  }
  assert.deepEqual([sparql.asked, sparql.updated], [[], []]);
});

test('requests that violate the protocol are rejected', async () => {
  const sparql = new FakeSparql();
  const q = `query=${encodeURIComponent(SELECT)}`;
  const u = 'update=CLEAR%20ALL';
  const cases: readonly (readonly [string, string, string | undefined, string, number, string])[] = [
    ['GET', `/sparql?${u}`, undefined, '', 400, 'bad-query'],
    ['GET', `/sparql?${q}&${u}`, undefined, '', 400, 'bad-query'],
    ['GET', `/sparql?${q}&${q}`, undefined, '', 400, 'bad-query'],
    ['GET', `/query?${u}`, undefined, '', 400, 'bad-query'],
    ['GET', '/sparql?query=', undefined, '', 400, 'parse-error'],
    ['GET', '/sparql?query=%ff', undefined, '', 400, 'bad-query'],
    ['GET', '/sparql?query=CLEAR+ALL', undefined, '', 400, 'parse-error'],
    ['GET', '/update?update=CLEAR+ALL', undefined, '', 405, 'method-not-allowed'],
    ['PUT', `/sparql?${q}`, undefined, '', 405, 'method-not-allowed'],
    ['POST', '/sparql', FORM, '', 400, 'missing-parameter'],
    ['POST', '/sparql', FORM, `${q}&${u}`, 400, 'bad-query'],
    ['POST', '/sparql', FORM, `${q}&${q}`, 400, 'bad-query'],
    ['POST', '/sparql', FORM, `${u}&${u}`, 400, 'bad-query'],
    ['POST', '/sparql', FORM, 'query=%E9', 400, 'bad-query'],
    ['POST', `/sparql?${q}`, FORM, '', 400, 'bad-query'],
    ['POST', `/sparql?${u}`, UPDATE, 'CLEAR ALL', 400, 'bad-query'],
    ['POST', '/query', FORM, u, 400, 'bad-query'],
    ['POST', '/query', UPDATE, 'CLEAR ALL', 415, 'unsupported-media-type'],
    ['POST', '/update', FORM, q, 400, 'bad-query'],
    ['POST', '/update', QUERY, SELECT, 415, 'unsupported-media-type'],
    ['POST', '/sparql', 'text/plain', SELECT, 415, 'unsupported-media-type'],
    ['POST', '/sparql', undefined, SELECT, 415, 'unsupported-media-type'],
    ['POST', '/sparql', `${QUERY}; charset=utf-16`, SELECT, 400, 'bad-query'],
    ['POST', '/sparql', `${UPDATE}; charset=iso-8859-1`, 'CLEAR ALL', 400, 'bad-query'],
    ['POST', '/sparql', `${FORM}; charset=nonsense`, q, 400, 'bad-query'],
    ['POST', '/sparql', QUERY, 'CLEAR ALL', 400, 'parse-error'],
    ['POST', '/sparql', QUERY, `${SELECT}#${'x'.repeat(1000)}`, 413, 'too-large'],
    ['POST', '/sparql', FORM, `${q}${'x'.repeat(1000)}`, 413, 'too-large'],
    ['POST', '/query', FORM, `query=ASK{}&x=${'x'.repeat(3000)}`, 413, 'too-large'],
  ];
  for (const [method, url, type, body, status, code] of cases) {
    const headers = { ...(type && { 'Content-Type': type }) };
    const response = await sparql.ask(method, url, { headers, body });
    assert.deepEqual(
      [response.status, response.code],
      [status, code],
      `${method} ${url} ${type} ${body.slice(0, 50)}`,
    );
  }
  const badText = await sparql.ask('POST', '/sparql', {
    headers: { 'Content-Type': QUERY },
    body: Buffer.from('SELECT * { ?s ?p "\xe9" }', 'latin1'),
  });
  assert.deepEqual([badText.status, badText.code], [400, 'parse-error']);
  assert.deepEqual([sparql.asked, sparql.updated], [[], []]);
});

test('an endpoint lists what it accepts', async () => {
  const sparql = new FakeSparql();
  const response = await sparql.post('/query', 'text/plain', SELECT);
  assert.equal(headerOf(response, 'accept'), `${FORM}, ${QUERY}`);
  const options = await sparql.ask('OPTIONS', '/update');
  assert.deepEqual([options.status, headerOf(options, 'allow')], [204, 'POST, OPTIONS']);
  assert.equal(headerOf(await sparql.ask('OPTIONS', '/sparql'), 'allow'), 'GET, HEAD, POST, OPTIONS');
});

test('a compressed body is decompressed within its limit', async () => {
  const { gzipSync } = await import('node:zlib');
  const sparql = new FakeSparql();
  const post = (text: string) =>
    sparql.ask('POST', '/query', {
      headers: { 'Content-Type': QUERY, 'Content-Encoding': 'gzip' },
      body: gzipSync(text),
    });
  assert.equal((await post(SELECT)).status, 200);
  assert.equal(sparql.asked[0]?.text, SELECT);
  assert.equal((await post(`${SELECT}#${'x'.repeat(1000)}`)).status, 413);
});

test('decompressed forms count in the memory limit of all bodies, and are rejected beyond it', async () => {
  const { gzipSync } = await import('node:zlib');
  const sparql = new FakeSparql();
  const body = gzipSync(`query=${SELECT}`);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' };
  const post = (room: ByteBudget) => sparql.ask('POST', '/sparql', { headers, body, room });
  const wide = new ByteBudget(1000);
  assert.equal((await post(wide)).status, 200);
  assert.equal(wide.held, `query=${SELECT}`.length);
  const narrow = await post(new ByteBudget(SELECT.length));
  assert.deepEqual([narrow.status, headerOf(narrow, 'retry-after')], [503, '1']);
  assert.equal(sparql.asked.length, 1);
});

test('the format of results follows Accept, and JSON is the default', async () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
  for (const [accept, type] of [
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', 'application/json'],
    ['application/sparql-results+xml, */*;q=0.1', 'application/sparql-results+xml'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/tab-separated-values', 'text/tab-separated-values; charset=utf-8'],
    ['text/turtle, application/sparql-results+json;q=0.5', JSON_TYPE],
    [browser, 'application/xml'],
  ] as const) {
    const sparql = new FakeSparql();
    for (const query of [SELECT, 'ASK {}']) {
      const response = await sparql.ask('GET', get(query), { headers: { ...(accept && { accept }) } });
      assert.equal(headerOf(response, 'content-type'), type);
    }
  }
});

test('a result that a format cannot express comes in the next format', async () => {
  const sparql = new FakeSparql();
  const XML = 'application/sparql-results+xml';
  sparql.unwritable = [XML, 'application/rdf+xml'];
  const ask = (query: string, accept: string, more = {}) =>
    sparql.ask('GET', get(query), { headers: { accept, ...more } });
  const json = await ask(SELECT, `${XML}, text/csv;q=0.5`);
  assert.deepEqual([json.status, headerOf(json, 'content-type')], [200, 'text/csv; charset=utf-8']);
  const current = { 'if-none-match': headerOf(json, 'etag') };
  assert.equal((await ask(SELECT, `${XML}, text/csv;q=0.5`, current)).status, 304);
  const turtle = await ask(CONSTRUCT, 'application/rdf+xml, */*;q=0.1');
  assert.equal(headerOf(turtle, 'content-type'), 'text/turtle; charset=utf-8');
  for (const [query, type] of [
    [SELECT, XML],
    [CONSTRUCT, 'application/rdf+xml'],
  ] as const) {
    const none = await sparql.ask('GET', get(query, { format: type }));
    const { available, detail } = bodyJson(none) as { available: string[]; detail: string };
    assert.deepEqual([none.status, none.code], [406, 'not-acceptable']);
    assert.match(detail, /U\+0001/);
    assert.ok(available.length > 2 && !available.includes(type));
  }
  sparql.unwritable = [XML, 'text/csv'];
  assert.equal((await ask(SELECT, `${XML}, text/csv`)).status, 406);
});

test('the format of graphs follows Accept, and Turtle is the default', async () => {
  for (const [accept, type] of [
    [undefined, 'text/turtle; charset=utf-8'],
    ['*/*', 'text/turtle; charset=utf-8'],
    ['application/n-triples', 'application/n-triples'],
    ['application/json', 'application/json'],
    ['application/sparql-results+json, application/ld+json', 'application/ld+json'],
  ] as const) {
    const sparql = new FakeSparql();
    for (const query of [CONSTRUCT, 'DESCRIBE <http://e/>']) {
      const response = await sparql.ask('GET', get(query), { headers: { ...(accept && { accept }) } });
      assert.equal(headerOf(response, 'content-type'), type);
    }
  }
  const sparql = new FakeSparql();
  await sparql.ask('GET', get(CONSTRUCT), { headers: { accept: 'application/json' } });
  assert.equal(sparql.asked[0]?.mediaType, 'application/ld+json');
});

test('the parameters format and output override Accept', async () => {
  const sparql = new FakeSparql();
  const headers = { accept: 'application/sparql-results+xml' };
  for (const name of ['format', 'output']) {
    for (const [value, mediaType] of [
      ['csv', 'text/csv'],
      ['JSON', JSON_TYPE],
      ['text/tab-separated-values', 'text/tab-separated-values'],
      ['application/sparql-results+json', JSON_TYPE],
    ] as const) {
      await sparql.ask('GET', `${get()}&${name}=${value}`, { headers });
      assert.equal(sparql.asked.at(-1)?.mediaType, mediaType);
      await sparql.post('/query', FORM, `query=ASK{}&${name}=${value}`, headers);
      assert.equal(sparql.asked.at(-1)?.mediaType, mediaType);
    }
    await sparql.ask('GET', get(CONSTRUCT, { [name]: 'nt' }), { headers });
    assert.equal(sparql.asked.at(-1)?.mediaType, 'application/n-triples');
  }
});

test('an unsupported format is rejected with the supported ones', async () => {
  const sparql = new FakeSparql();
  const select = await sparql.ask('GET', get(SELECT, { output: 'html' }));
  assert.equal(select.status, 406);
  assert.deepEqual((bodyJson(select) as { available: string[] }).available, [
    JSON_TYPE,
    'application/sparql-results+xml',
    'text/csv',
    'text/tab-separated-values',
  ]);
  const graph = await sparql.ask('GET', get(CONSTRUCT), {
    headers: { accept: 'text/csv, application/json;q=0' },
  });
  assert.equal(graph.status, 406);
  assert.match(bodyText(graph), /406 Not Acceptable/);
  assert.deepEqual(sparql.asked, []);
});

test('responses to GET and HEAD have a weak tag of their commit, and a match saves the evaluation', async () => {
  const sparql = new FakeSparql();
  sparql.meanwhile = 2;
  const first = await sparql.ask('GET', get());
  assert.equal(headerOf(first, 'etag'), 'W/"s9-json.union.c"');
  sparql.meanwhile = 0;
  for (const tag of ['W/"s9-json.union.c"', '"x", W/"s9-json.union.c.gz"']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await sparql.ask(method, get(), { headers: { 'If-None-Match': tag } });
      assert.equal(response.status, 304);
      assert.equal(headerOf(response, 'etag'), 'W/"s9-json.union.c"');
      assert.equal(headerOf(response, 'vary'), 'Accept');
    }
  }
  assert.equal(sparql.asked.length, 1);
  for (const headers of [
    { 'If-None-Match': 'W/"s7-json.union.c"' },
    { 'If-None-Match': 'W/"s9-csv.union.c"' },
  ]) {
    assert.equal((await sparql.ask('GET', get(), { headers })).status, 200);
  }
  const asDefault = await new FakeSparql('default').ask('HEAD', get());
  assert.equal(headerOf(asDefault, 'etag'), 'W/"s7-json.default.c"');
});

test('If-None-Match: * matches only if there is a result', async () => {
  const sparql = new FakeSparql();
  const headers = { 'If-None-Match': '*' };
  const response = await sparql.ask('GET', get(), { headers });
  assert.deepEqual([response.status, headerOf(response, 'etag')], [304, 'W/"s7-json.union.c"']);
  sparql.queryError = failure('parse-error', 'Expected a brace.').error;
  assert.equal((await sparql.ask('GET', get(), { headers })).status, 400);
});

test('volatile queries and POST have no tag', async () => {
  const sparql = new FakeSparql();
  const headers = { 'If-None-Match': '*' };
  const now = await sparql.ask('GET', get('SELECT (NOW() AS ?now) {}'), { headers });
  const post = await sparql.post('/sparql', QUERY, SELECT, headers);
  for (const response of [now, post]) {
    assert.equal(response.status, 200);
    assert.equal(headerOf(response, 'etag'), undefined);
  }
});

test('an error in the query is reported with line and column', async () => {
  const sparql = new FakeSparql();
  sparql.queryError = failure('parse-error', 'Expected a brace.', { line: 3, column: 4 }).error;
  const response = await sparql.ask('GET', get(), { headers: { accept: 'application/problem+json, */*' } });
  assert.equal(response.status, 400);
  const { line, column, code } = bodyJson(response) as Record<'line' | 'column' | 'code', unknown>;
  assert.deepEqual([code, line, column], ['parse-error', 3, 4]);
  const form = await sparql.ask('GET', get('SELCT *'), { headers: { accept: 'application/json' } });
  assert.equal((bodyJson(form) as Record<'column', unknown>).column, 1);
});

test('an update needs only its text', async () => {
  for (const path of ['/sparql', '/update', '/sparql/update']) {
    const sparql = new FakeSparql();
    const text = 'INSERT DATA { <http://e/a+b> <p> "x&y" }';
    for (const response of [
      await sparql.post(path, FORM, new URLSearchParams({ update: text }).toString()),
      await sparql.post(path, UPDATE, text),
    ]) {
      assert.deepEqual([response.status, response.body], [204, undefined]);
    }
    const expected = { text, baseIri: `${base}/sparql`, dataset: undefined };
    assert.deepEqual(sparql.updated, [expected, expected]);
  }
  const empty = new FakeSparql();
  assert.equal((await empty.post('/update', FORM, 'update=')).status, 204);
  assert.equal(empty.updated[0]?.text, '');
});

test('an update has its own parameters for its graphs', async () => {
  const sparql = new FakeSparql();
  const graphs = 'using-graph-uri=http://e/g&using-named-graph-uri=http://e/n';
  const text = 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }';
  assert.equal((await sparql.post(`/update?${graphs}`, UPDATE, text)).status, 204);
  assert.deepEqual(sparql.updated[0]?.dataset, {
    defaultGraphs: ['http://e/g'],
    namedGraphs: ['http://e/n'],
  });
  const wrong = await sparql.post('/update?default-graph-uri=http://e/g', UPDATE, text);
  assert.deepEqual([wrong.status, wrong.code], [400, 'bad-query']);
  const query = await sparql.ask('GET', get(SELECT, { 'using-graph-uri': 'http://e/g' }));
  assert.deepEqual([query.status, query.code], [400, 'bad-query']);
});

test('a client that may only read can query and never update', async () => {
  const sparql = new FakeSparql();
  const cases: readonly (readonly [string, string, string])[] = [
    ['/sparql', FORM, 'update=CLEAR+ALL'],
    ['/sparql', UPDATE, 'CLEAR ALL'],
    ['/update', FORM, 'update=CLEAR+ALL'],
    ['/sparql/update', UPDATE, 'CLEAR ALL'],
  ];
  for (const [path, type, body] of cases) {
    const options = { headers: { 'Content-Type': type }, body, forbidden };
    assert.equal((await sparql.ask('POST', path, options)).status, 403);
  }
  assert.deepEqual(sparql.updated, []);
  const headers = { 'Content-Type': FORM };
  const query = { headers, body: 'query=ASK{}', forbidden };
  assert.equal((await sparql.ask('POST', '/sparql', query)).status, 200);
});

test('If-Match matches only *, since tags are weak, and dates are ignored', async () => {
  const sparql = new FakeSparql();
  const target = `/sparql?query=${encodeURIComponent(SELECT)}`;
  const tag = headerOf(await sparql.ask('GET', target), 'etag')!;
  const asked = sparql.asked.length;
  for (const match of [tag, tag.slice('W/'.length), '"other"']) {
    const headers = { 'If-Match': match };
    for (const path of [target, '/sparql']) {
      assert.equal((await sparql.ask('GET', path, { headers })).status, 412, path);
      assert.equal((await sparql.ask('HEAD', path, { headers })).status, 412, path);
    }
    assert.equal((await sparql.post('/query', 'application/sparql-query', SELECT, headers)).status, 412);
    assert.equal(
      (await sparql.post('/update', 'application/sparql-update', 'CLEAR ALL', headers)).status,
      412,
    );
  }
  assert.deepEqual([sparql.asked.length, sparql.updated.length], [asked, 0]);
  for (const headers of [{ 'If-Match': '*' }, { 'If-Unmodified-Since': 'Mon, 01 Jan 1990 00:00:00 GMT' }]) {
    assert.equal((await sparql.ask('GET', target, { headers })).status, 200);
    assert.equal(
      (await sparql.post('/update', 'application/sparql-update', 'CLEAR ALL', headers)).status,
      204,
    );
  }
  const wrong = await sparql.ask('GET', '/sparql?query=NONSENSE', { headers: { 'If-Match': tag } });
  assert.equal(wrong.status, 400);
});
