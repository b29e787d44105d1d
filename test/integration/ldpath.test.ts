import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const DATA = `@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <http://example.org/> .
ex:anna foaf:name "Anna" ; foaf:age 7 ; foaf:knows ex:sepp, ex:lena .
ex:sepp foaf:name "Sepp"@de ; foaf:knows ex:anna . ex:lena foaf:name "Lena" ; foaf:knows ex:lena .
ex:cat a ex:Animal ; foaf:depicts [ foaf:name "picture" ] .`;
const ANNA = encodeURIComponent('http://example.org/anna');

describe('LDPath over HTTP', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--max-program', '1KiB']);
  before(async () => {
    const put = await fetch(`${server.url}/context?graph=urn:x:people`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: DATA,
    });
    assert.equal(put.status, 201);
  });
  const path = (source: string, start = ANNA, more = '') =>
    fetch(`${server.url}/ldpath/path?path=${encodeURIComponent(source)}&uri=${start}${more}`);
  const program = (body: string, start = ANNA) =>
    fetch(`${server.url}/ldpath/program?uri=${start}`, { method: 'POST', body });

  it('evaluates a path to node objects in order, without duplicates', async () => {
    const response = await path('foaf:knows / foaf:name | foaf:age');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal(response.headers.get('vary'), 'Accept');
    assert.deepEqual(await response.json(), [
      { type: 'literal', value: 'Sepp', lang: 'de' },
      { type: 'literal', value: 'Lena' },
      { type: 'literal', value: '7', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
    ]);
  });

  it('returns every field of a program, even empty ones, by GET and by POST', async () => {
    const source = `all = (foaf:knows)* ; text = foaf:age :: xsd:string ; none = foaf:mbox ; n = fn:count(foaf:knows) ;
      who = ^foaf:knows[foaf:name is "Sepp"@de] ;`;
    const expected = {
      all: ['anna', 'sepp', 'lena'].map((name) => ({ type: 'uri', value: `http://example.org/${name}` })),
      text: [{ type: 'literal', value: '7' }],
      none: [],
      n: [{ type: 'literal', value: '2', datatype: 'http://www.w3.org/2001/XMLSchema#integer' }],
      who: [{ type: 'uri', value: 'http://example.org/sepp' }],
    };
    const posted = await program(source);
    assert.deepEqual(await posted.json(), expected);
    const got = await fetch(`${server.url}/ldpath/program?uri=${ANNA}&program=${encodeURIComponent(source)}`);
    assert.deepEqual(await got.json(), expected);
  });

  it('P-9: revalidates a result by its tag until something is written', async () => {
    const target = `${server.url}/ldpath/path?path=foaf%3Aage&uri=${ANNA}`;
    const get = (known: string, method = 'GET') =>
      fetch(target, { method, headers: { 'If-None-Match': known } });
    const put = (body: string) =>
      fetch(`${server.url}/context?graph=urn:x:revalidated`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/turtle' },
        body,
      });
    const first = (await fetch(target)).headers.get('etag')!;
    assert.match(first, /^W\/"[a-z0-9]+-json\.[0-9a-f]{10}"$/);
    for (const method of ['GET', 'HEAD']) {
      const same = await get(first, method);
      assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, first, '']);
    }
    await put(`<${decodeURIComponent(ANNA)}> <http://xmlns.com/foaf/0.1/age> 8 .`);
    const changed = await get(first);
    assert.equal(changed.status, 200);
    assert.equal(((await changed.json()) as unknown[]).length, 2);
    const second = changed.headers.get('etag')!;
    assert.notEqual(second, first);
    assert.equal((await get(second)).status, 304);
    assert.equal(
      (await fetch(`${server.url}/context?graph=urn:x:revalidated`, { method: 'DELETE' })).status,
      200,
    );
    assert.equal(((await (await get(second)).json()) as unknown[]).length, 1);
  });

  it('P-9: tags the result for a resource that only a registry knows, until it is deleted', async () => {
    const resource = `${server.url}/resource?uri=urn:x:only-registered`;
    await fetch(resource, { method: 'POST', redirect: 'manual' });
    const target = `${server.url}/ldpath/path?path=.&uri=urn:x:only-registered`;
    const tag = (await fetch(target)).headers.get('etag')!;
    const headers = { 'If-None-Match': tag };
    assert.equal((await fetch(target, { headers })).status, 304);
    assert.equal((await fetch(resource, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(target, { headers })).status, 404);
  });

  it('accepts a blank node from a response as a start resource', async () => {
    const cat = encodeURIComponent('http://example.org/cat');
    const [node] = (await (await path('foaf:depicts', cat)).json()) as { type: string; value: string }[];
    assert.equal(node?.type, 'bnode');
    const names = await path('foaf:name', `_:${node?.value}`);
    assert.deepEqual(await names.json(), [{ type: 'literal', value: 'picture' }]);
  });

  it('P-3: knows the prefixes of the server, the request and the program', async () => {
    assert.equal((await path('ex:x')).status, 400);
    const response = await path(
      'ex:x | foaf:name',
      ANNA,
      `&ns_ex=${encodeURIComponent('http://example.org/')}`,
    );
    assert.deepEqual(await response.json(), [{ type: 'literal', value: 'Anna' }]);
    const local = await program('@prefix p : <http://xmlns.com/foaf/0.1/> ; n = p:name ;');
    assert.deepEqual(await local.json(), { n: [{ type: 'literal', value: 'Anna' }] });
  });

  for (const [what, source, expected] of [
    ['a syntax error', 'foaf:name /', { code: 'parse-error', line: 1, column: 12, source: 'path' }],
    ['an unknown prefix', 'nope:name', { code: 'unknown-prefix', line: 1, column: 1, source: 'path' }],
    ['an unknown function', 'fn:cuont(.)', { code: 'unknown-function', line: 1, column: 4, source: 'path' }],
    [
      'a wrong number of arguments',
      'fn:sort()',
      { code: 'bad-arguments', line: 1, column: 1, source: 'path' },
    ],
  ] as const) {
    it(`rejects ${what} with 400 and its place`, async () => {
      const response = await path(source);
      assert.equal(response.status, 400);
      const { code, line, column, source: place } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual({ code, line, column, source: place }, expected);
    });
  }

  it('rejects what is missing, malformed, unknown or too long', async () => {
    assert.equal((await fetch(`${server.url}/ldpath/path?path=.`)).status, 400);
    assert.equal((await fetch(`${server.url}/ldpath/path?uri=${ANNA}`)).status, 400);
    assert.equal((await program('')).status, 400);
    assert.equal((await path('.', 'nonsense')).status, 400);
    const unknown = await path('.', 'urn:x:nobody');
    assert.equal(unknown.status, 404);
    assert.equal(((await unknown.json()) as Record<string, unknown>)['uri'], 'urn:x:nobody');
    assert.equal((await program(`a = . ; ${' '.repeat(2000)}`)).status, 413);
    const xml = await fetch(`${server.url}/ldpath/path?path=.&uri=${ANNA}`, {
      headers: { Accept: 'text/xml' },
    });
    assert.equal(xml.status, 406);
  });

  it('1.10: checks parameters, target, Accept and body in this order', async () => {
    const headers = { Accept: 'text/html' };
    const status = async (target: string, body?: string) => {
      const init = body === undefined ? { headers } : { headers, method: 'POST', body };
      return (await fetch(`${server.url}/ldpath/${target}`, init)).status;
    };
    assert.equal(await status('path?path=%28&uri=urn:x:nobody'), 400);
    assert.equal(await status('path?path=.&uri=urn:x:nobody'), 404);
    assert.equal(await status('path?path=.&uri=_:nobody'), 404);
    assert.equal(await status('path?path=.&uri=urn:x:people'), 406);
    assert.equal(await status('program?uri=urn:x:nobody', 'a = ('), 404);
    assert.equal(await status('program?uri=urn:x:people', 'a = ('), 406);
    assert.equal(await status('debug?context=urn:x:people&context=urn:x:nobody', 'a = ('), 404);
    assert.equal(
      (await fetch(`${server.url}/ldpath/program?uri=urn:x:nobody`, { method: 'POST', body: 'a = (' }))
        .status,
      404,
    );
  });

  it('accepts a graph as a start resource that is the subject of no triple', async () => {
    const response = await path('.', encodeURIComponent('urn:x:people'));
    assert.deepEqual(await response.json(), [{ type: 'uri', value: 'urn:x:people' }]);
  });

  it('P-1: restricts a program to the graphs of @graph, and hides the system graph', async () => {
    const where = (graph: string) => program(`@graph <${graph}> ; n = foaf:name ;`);
    assert.deepEqual(await (await where('urn:x:people')).json(), { n: [{ type: 'literal', value: 'Anna' }] });
    assert.deepEqual(await (await where('urn:x:other')).json(), { n: [] });
    assert.deepEqual(await (await where('urn:x-pathpool:system')).json(), { n: [] });
  });

  it('sees a write as soon as it is acknowledged', async () => {
    for (let i = 0; i < 20; i++) {
      const target = `${server.url}/context?graph=${BASE}/own`;
      const body = `<urn:x:me> <http://xmlns.com/foaf/0.1/age> ${i} .`;
      await fetch(target, { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body });
      const [node] = (await (await path('foaf:age', 'urn:x:me')).json()) as { value: string }[];
      assert.equal(node?.value, String(i));
    }
  });

  it('T-5: lists no task when nothing runs', async () => {
    assert.deepEqual(await (await fetch(`${server.url}/tasks`)).json(), {});
    assert.deepEqual(await (await fetch(`${server.url}/tasks/byThread`)).json(), {});
    assert.deepEqual(await (await fetch(`${server.url}/tasks/none`)).json(), {});
    assert.equal((await fetch(`${server.url}/tasks/LDPath/none`)).status, 404);
  });
});
