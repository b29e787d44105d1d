import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readCsv } from '../ldpath/shapes/support.ts';
import { sharedServer } from '../support/shared-server.ts';

const EX = 'http://example.org/';
const COUNT = 3_000;
/** Reaches every node of a cycle from every other one, which exceeds any time limit. */
const ENDLESS = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
const PROGRAM = '@filter ex:name ; @boost ex:n ; name = ex:name ; n = ex:n (multiValued = "false") ;';
const namespaces = { ex: EX };

const data = [
  ...Array.from({ length: COUNT }, (_, i) => `<${EX}${i}> <${EX}name> "Name, ${i}"@en ; <${EX}n> ${i} .`),
  `<${EX}unnamed> <${EX}n> 1 .`,
  ...Array.from(
    { length: 2000 },
    (_, i) => `<${EX}c${i}> <${EX}to> <${EX}c${(i + 1) % 2000}>, <${EX}c${(i * 7) % 2000}> .`,
  ),
].join('\n');

describe('results in other formats', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--evaluation-time', '1']);
  before(async () => {
    const put = await fetch(`${server.url}/context?graph=urn:x:data`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: data,
    });
    assert.equal(put.status, 201);
  });
  const batch = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/ldpath/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ program: PROGRAM, namespaces, ordered: true, ...body }),
    });
  const single = (format: string, uri = `${EX}7`) => {
    const query = new URLSearchParams({ program: PROGRAM, uri, format, ns_ex: EX });
    return fetch(`${server.url}/ldpath/program?${query}`);
  };
  const uris = Array.from({ length: COUNT }, (_, i) => `${EX}${i}`);
  const some = [uris[1]!, 'urn:x:nobody', `${EX}unnamed`, uris[2]!];

  it('P-51: has one result alone, whole', async () => {
    assert.equal(await (await single('csv')).text(), 'uri,name,n\r\nhttp://example.org/7,"Name, 7",7\r\n');
    assert.deepEqual(await (await single('values')).json(), { name: ['Name, 7'], n: 7 });
    assert.deepEqual(await (await single('solr')).json(), [
      { id: `${EX}7`, name: ['Name, 7'], n: 7, boost: 7 },
    ]);
    const expanded = (await (await single('jsonld')).json()) as { '@graph': unknown[] };
    assert.equal(expanded['@graph'].length, 1);
    const unnamed = (await (await single('solr', `${EX}unnamed`)).json()) as object[];
    assert.equal(unnamed.length, 1, '@filter hides nothing here');
  });

  it('P-51: has a document for each start resource of a batch', async () => {
    const response = await batch({ uris, format: 'csv' });
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(response.headers.get('link')!, /rel="status"/);
    const rows = readCsv(await response.text());
    assert.deepEqual(rows.shift(), ['uri', 'name', 'n']);
    assert.deepEqual(
      rows,
      uris.map((uri, i) => [uri, `Name, ${i}`, String(i)]),
    );
    const documents = (await (await batch({ uris, format: 'solr' })).json()) as { id: string }[];
    assert.deepEqual(
      documents.map(({ id }) => id),
      uris,
    );
    const bulk = await batch({ uris }, { Accept: 'application/vnd.elasticsearch+x-ndjson' });
    const lines = (await bulk.text()).split('\n').slice(0, -1);
    assert.equal(lines.length, 2 * COUNT);
    assert.deepEqual(JSON.parse(lines[7]!), { name: ['Name, 3'], n: 3, boost: 3 });
  });

  it('P-53: leaves out errors and what @filter rejects, except in nodes and plain values', async () => {
    const tsv = await (await batch({ uris: some, format: 'tsv' })).text();
    assert.deepEqual(
      tsv.split('\n').map((row) => row.split('\t')[0]),
      ['uri', uris[1], uris[2], ''],
    );
    const jsonld = (await (await batch({ uris: some, format: 'jsonld' })).json()) as { '@graph': object[] };
    assert.equal(jsonld['@graph'].length, 2);
    const values = await batch({ uris: some, format: 'values' });
    assert.equal(values.headers.get('content-type'), 'application/x-ndjson');
    const lines = (await values.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines[0], { uri: uris[1], result: { name: ['Name, 1'], n: 1 }, filter: true, boost: 1 });
    assert.equal(lines[1].error.code, 'resource-not-found');
    assert.equal(lines[2].filter, false);
    assert.deepEqual([lines[4].done, lines[4].count, lines[4].errors], [true, 4, 1]);
  });

  it('P-53: has the documents of a whole set, and nothing but these', async () => {
    const rows = readCsv(await (await batch({ starts: { subjects: true }, format: 'csv' })).text());
    assert.deepEqual(rows.shift(), ['uri', 'name', 'n']);
    assert.equal(rows.length, COUNT, 'a resource that @filter rejects has no row');
    const limited = { starts: { graph: 'urn:x:data' }, limit: 3, format: 'values' };
    const lines = (await (await batch(limited)).text()).split('\n').slice(0, -1);
    assert.deepEqual(JSON.parse(lines[1]!).result, { name: ['Name, 0'], n: 0 });
    assert.equal(JSON.parse(lines.at(-1)!).done, true);
  });

  it('P-53: tells the errors in its task when it has ended', async () => {
    const response = await batch({ uris: ['urn:x:nobody', ...some], format: 'csv' });
    await response.text();
    const [, path] = /(\/tasks\/.+)>/.exec(response.headers.get('link')!)!;
    const task = (await (await fetch(server.url + path!)).json()) as Record<string, unknown>;
    const { state, message, progress, thread, eta, detailMessages } = task;
    assert.deepEqual([state, message, progress, thread, eta], ['ended', 'done', some.length + 1, null, null]);
    const { errors, firstErrors } = detailMessages as Record<string, string>;
    assert.match(firstErrors!, /^urn:x:nobody: resource-not-found/);
    assert.equal(errors, '2');
    assert.equal((await fetch(server.url + path!, { method: 'DELETE' })).status, 404);
    const lists = (await (await fetch(`${server.url}/tasks?queued`)).json()) as { LDPath?: unknown[] };
    assert.equal(lists.LDPath, undefined);
  });

  it('P-53: has no document if nothing is left', async () => {
    assert.deepEqual(await (await batch({ uris: ['urn:x:nobody'], format: 'solr' })).json(), []);
    assert.equal(await (await batch({ uris: ['urn:x:nobody'], format: 'bulk' })).text(), '');
  });

  it('P-53: has the document of a start resource that is evaluated alone because it takes long', async () => {
    const endless = [uris[5]!, `${EX}c0`, uris[6]!];
    const program = `slow = ${ENDLESS} ; name = ex:name ;`;
    const rows = readCsv(await (await batch({ program, uris: endless, format: 'csv' })).text());
    assert.deepEqual(
      rows.slice(1).map(([uri]) => uri),
      [uris[5], uris[6]],
    );
  });

  it('P-53: cuts the response off when the batch is cancelled', async () => {
    const many = Array.from({ length: 9_999 }, () => `${EX}c0`);
    const response = await batch({ program: `a = ${ENDLESS} ;`, uris: [uris[0], ...many], format: 'solr' });
    const [, path] = /(\/tasks\/.+)>/.exec(response.headers.get('link')!)!;
    assert.equal((await fetch(server.url + path, { method: 'DELETE' })).status, 204);
    await assert.rejects(response.text());
  });

  it('P-20: refuses a field that the format needs for itself before it begins', async () => {
    const response = await batch({ program: 'id = ex:name ;', uris: some, format: 'solr' });
    assert.equal(response.status, 400);
    const problem = (await response.json()) as { code: string; line: number };
    assert.deepEqual([problem.code, problem.line], ['bad-arguments', 1]);
    assert.equal((await batch({ uris: some, format: 'parquet' })).status, 406);
    assert.equal((await batch({ uris: some, format: 1 })).status, 400);
    assert.equal((await batch({ uris: some, format: 'csv', separator: '||' })).status, 400);
  });
});
