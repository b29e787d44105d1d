import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const EX = 'http://example.org/';
const namespaces = { ex: EX };
const ENDLESS = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
const data = `@prefix ex: <${EX}> .
  ex:a a ex:Person ; ex:name "Anna"@en ; ex:knows ex:b, _:c . ex:b ex:name "Ben" . _:c ex:name "Carl" . <rel> ex:name "R" .`;

describe('POST /ldpath/evaluate', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--evaluation-time', '1', '--batch-uris', '4']);
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/ldpath/evaluate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ namespaces, ...body }),
    });
  const lines = async (response: Response) =>
    (await response.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const refusal = async (body: object) => {
    const response = await post(body);
    const { code, source, line } = (await response.json()) as Record<string, unknown>;
    return [response.status, code, source, line];
  };

  it('P-60: returns a line for each start resource, and a last line', async () => {
    const response = await post({ path: 'ex:name', data, uris: [`${EX}a`, `${EX}zz`, `${EX}b`] });
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const [first, missing, third, last] = await lines(response);
    assert.deepEqual(first, { uri: `${EX}a`, result: [{ type: 'literal', value: 'Anna', lang: 'en' }] });
    assert.equal(missing.error.code, 'resource-not-found');
    assert.deepEqual(third, { uri: `${EX}b`, result: [{ type: 'literal', value: 'Ben' }] });
    assert.deepEqual(last, { done: true, count: 3, errors: 1 });
  });

  it('P-60: stores nothing, and sees nothing that is stored', async () => {
    const put = await fetch(`${server.url}/context?graph=urn:x:g`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: `<${EX}a> <${EX}name> "stored" .`,
    });
    assert.equal(put.status, 201);
    const [line] = await lines(await post({ path: 'ex:name', data, uris: [`${EX}a`] }));
    assert.deepEqual(line.result, [{ type: 'literal', value: 'Anna', lang: 'en' }]);
    const list = await (await fetch(`${server.url}/context/list`)).json();
    assert.deepEqual(list, [`${BASE}/context/default`, 'urn:x:g']);
  });

  it('P-60: has other formats, relative IRIs and prefixes of the program', async () => {
    const csv = await post({
      program: 'name = ex:name ;',
      data,
      base: 'urn:base:/',
      uris: ['urn:base:/rel', `${EX}b`],
      format: 'csv',
    });
    assert.equal(await csv.text(), 'uri,name\r\nurn:base:/rel,R\r\nhttp://example.org/b,Ben\r\n');
    const solr = await post(
      { path: 'ex:name', data, uris: [`${EX}zz`] },
      { Accept: 'application/vnd.pathpool.solr+json' },
    );
    assert.deepEqual(await solr.json(), []);
    const empty = await post({ path: 'ex:name', data, uris: [`${EX}zz`], missing: 'empty' });
    assert.deepEqual((await lines(empty))[0], { uri: `${EX}zz`, result: [] });
  });

  it('P-61: knows no blank nodes by name', async () => {
    for (const missing of ['error', 'empty']) {
      const response = await post({ path: 'ex:name', data, uris: ['_:c', '_:0', '_:zz'], missing });
      const codes = (await lines(response)).slice(0, -1).map(({ error }) => error?.code);
      assert.deepEqual(codes, ['bad-iri', 'bad-iri', 'bad-iri'], missing);
    }
  });

  it('P-61: takes a set of start resources, without blank nodes', async () => {
    const uris = async (starts: object, sent = data, dataType = 'turtle') =>
      (await lines(await post({ path: '.', data: sent, dataType, starts })))
        .slice(0, -1)
        .map(({ uri }) => uri.replace(EX, ''));
    assert.deepEqual(await uris({ type: `${EX}Person` }), ['a']);
    assert.deepEqual((await uris({ subjects: true })).slice(0, 2), ['a', 'b']);
    const trig = '<urn:g> { <urn:s> <urn:p> 1 } <urn:h> { <urn:t> <urn:p> 1 }';
    assert.deepEqual(await uris({ graph: 'urn:g' }, trig, 'application/trig'), ['urn:s']);
  });

  it('P-62: says where the data or the program is wrong', async () => {
    const uris = [`${EX}a`];
    assert.deepEqual(await refusal({ path: '.', data: '<urn:a>\n <urn:b> ;', uris }), [
      400,
      'parse-error',
      'data',
      2,
    ]);
    assert.deepEqual(await refusal({ program: 'a = .\n b', data, uris }), [400, 'parse-error', 'program', 2]);
    assert.deepEqual((await refusal({ path: '.', uris })).slice(0, 2), [400, 'missing-parameter']);
    assert.deepEqual((await refusal({ path: '.', data })).slice(0, 2), [400, 'missing-parameter']);
    assert.deepEqual((await refusal({ data, uris })).slice(0, 2), [400, 'missing-parameter']);
    assert.deepEqual((await refusal({ path: '.', data: 1, uris })).slice(0, 2), [400, 'bad-arguments']);
    assert.deepEqual((await refusal({ path: '.', data, uris: [] })).slice(0, 2), [400, 'bad-arguments']);
    assert.deepEqual((await refusal({ path: '.', data, uris: [1] })).slice(0, 2), [400, 'bad-arguments']);
    assert.deepEqual((await refusal({ path: '.', data, base: 'x', uris })).slice(0, 2), [400, 'bad-iri']);
    const set = { path: '.', from: [EX] };
    assert.deepEqual((await refusal({ path: '.', data, starts: set })).slice(0, 2), [400, 'bad-arguments']);
    assert.deepEqual((await refusal({ path: '.', data, dataType: 'text/html', uris })).slice(0, 2), [
      415,
      'unsupported-media-type',
    ]);
    assert.deepEqual((await refusal({ path: '.', data, uris: Array(5).fill(EX) })).slice(0, 2), [
      413,
      'too-large',
    ]);
  });

  it('P-62: bounds the time of all evaluations together, and the server goes on', async () => {
    const cycle = Array.from(
      { length: 2000 },
      (_, i) => `<${EX}c${i}> <${EX}to> <${EX}c${(i + 1) % 2000}>, <${EX}c${(i * 7) % 2000}> .`,
    ).join('\n');
    const [status, code] = await refusal({ path: ENDLESS, data: cycle, uris: [`${EX}c0`, `${EX}c1`] });
    assert.equal(status, 504);
    assert.ok(code === 'time-limit' || code === 'budget-exceeded');
    assert.equal((await post({ path: '.', data, uris: [`${EX}a`] })).status, 200);
  });

  it('P-43: evaluates a stored program, also in another format', async () => {
    const put = await fetch(`${server.url}/ldpath/programs/names?ns_ex=${EX}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain' },
      body: 'name = ex:name ;',
    });
    assert.equal(put.status, 201);
    const body = { name: 'names', data, uris: [`${EX}b`], format: 'csv', namespaces: {} };
    assert.equal(await (await post(body)).text(), `uri,name\r\n${EX}b,Ben\r\n`);
    assert.equal((await post({ ...body, name: 'none' })).status, 404);
  });

  it('P-63: takes a form with the data as a file', async () => {
    const form = new FormData();
    form.append('program', `@prefix ex: <${EX}> ; name = ex:name ;`);
    form.append('data', new Blob([data], { type: 'text/turtle' }), 'data.ttl');
    form.append('uri', `${EX}a`);
    form.append('uri', `${EX}b`);
    form.append('format', 'tsv');
    const response = await fetch(`${server.url}/ldpath/evaluate`, { method: 'POST', body: form });
    assert.equal(await response.text(), `uri\tname\n${EX}a\tAnna\n${EX}b\tBen\n`);
    for (const part of ['uri', 'data']) {
      form.delete(part);
      const without = await fetch(`${server.url}/ldpath/evaluate`, { method: 'POST', body: form });
      const { code, detail } = (await without.json()) as Record<string, unknown>;
      assert.deepEqual([code, detail], ['missing-parameter', `The form has no part '${part}'.`]);
      form.append('uri', `${EX}a`);
    }
  });

  it('P-63: refuses a part in an unknown charset', async () => {
    const part = (head: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const body = [
      part('name="path"\r\nContent-Type: text/plain; charset=klingon', '.'),
      part('name="data"; filename="data.ttl"', data),
      `${part('name="uri"', `${EX}a`)}--x--`,
    ].join('');
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const response = await fetch(`${server.url}/ldpath/evaluate`, { method: 'POST', headers, body });
    const { code, detail } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([code, detail], ['unsupported-media-type', "The charset 'klingon' is unknown."]);
  });
});

describe('POST /ldpath/evaluate in a small heap', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--thread-heap', '64MiB']);
  const post = (data: string) =>
    fetch(`${server.url}/ldpath/evaluate`, {
      method: 'POST',
      body: JSON.stringify({ path: '.', data, uris: [EX] }),
    });

  it('P-62: refuses more quads than a thread has room for, and the server goes on', async () => {
    const ofQuads = (count: number) => `<${EX}> <${EX}to> ${Array(count).fill('1').join(',')} .`;
    const refused = await post(ofQuads(65_537));
    const { status, code, detail } = (await refused.json()) as Record<string, unknown>;
    assert.deepEqual([status, code, detail], [413, 'too-large', 'The data have more than 65536 quads.']);
    assert.equal((await post(ofQuads(65_536))).status, 200);
  });
});
