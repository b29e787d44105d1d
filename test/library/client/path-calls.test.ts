import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PathpoolClient } from '../../../src/library/client/entry.ts';
import { suiteScope } from '../../support/scope.ts';
import { startServer } from '../../support/server-process.ts';

const people = `@prefix foaf: <http://xmlns.com/foaf/0.1/> .
  <urn:x:a> a foaf:Person ; foaf:name "Anna", "Änni" ; foaf:age 41 .
  <urn:x:b> a foaf:Person ; foaf:name "Sepp" .`;
const program = 'name = f:name ; age = f:age :: xsd:integer ;';
const prefixes = { f: 'http://xmlns.com/foaf/0.1/' };
const starts = { type: 'http://xmlns.com/foaf/0.1/Person' };

describe('the formats of results that pathpool/client reads', () => {
  const scope = suiteScope();
  let url: string;
  before(async () => {
    ({ url } = await startServer(scope, ['--memory', '--threads', '2', '--sparql-threads', '0'], {}, null));
    await connect().graphs.put('urn:x:people', people);
  });
  const connect = () => new PathpoolClient(url);

  it('are lines with plain values, or with documents of a search engine', async () => {
    const { ldpath, programs } = connect();
    const options = { uris: ['urn:x:a'], prefixes, format: 'values' } as const;
    for await (const { result } of ldpath.batch(program, options)) {
      assert.deepEqual(result, { name: ['Anna', 'Änni'], age: [41] });
    }
    await programs.put('people', { program, namespaces: prefixes, starts });
    const documents: unknown[] = [];
    const stored = ldpath.batchOfStored('people', { ordered: true, format: 'solr-documents' });
    for await (const { result } of stored) documents.push(result);
    assert.deepEqual(documents, [
      { id: 'urn:x:a', name: ['Anna', 'Änni'], age: [41] },
      { id: 'urn:x:b', name: ['Sepp'] },
    ]);
  });

  it('are one text', async () => {
    const { ldpath } = connect();
    const options = { starts, prefixes, ordered: true };
    const csv = await ldpath.batchText({ program }, { ...options, format: 'csv', separator: ';' });
    assert.match(csv.headers.get('Content-Type')!, /^text\/csv/);
    assert.equal(await csv.text(), 'uri,name,age\r\nurn:x:a,Anna;Änni,41\r\nurn:x:b,Sepp,\r\n');
    const one = await ldpath.batchText({ path: 'f:age' }, { uris: ['urn:x:a'], prefixes, format: 'solr' });
    assert.deepEqual(await one.json(), [{ id: 'urn:x:a', value: [41] }]);
    const wrong = ldpath.batchText({ program: 'a = ;' }, { starts, format: 'csv' });
    await assert.rejects(wrong, { name: 'PathpoolError', code: 'parse-error' });
  });

  it('are evaluated on data that are sent', async () => {
    const { ldpath } = connect();
    const data = '<s> <urn:name> "Sent" . <t> a <urn:T> .';
    const base = 'urn:base:/';
    const [found, missing] = await ldpath.evaluate({ path: '<urn:name>' }, data, {
      base,
      uris: ['urn:base:/s', 'urn:x:a'],
    });
    assert.deepEqual(found, { uri: 'urn:base:/s', result: [{ type: 'literal', value: 'Sent' }] });
    assert.equal(missing?.error?.code, 'resource-not-found');
    const members = await ldpath.evaluate({ program: 'name = <urn:name> ;' }, data, {
      base,
      starts: { type: 'urn:T' },
    });
    assert.deepEqual(members, [{ uri: 'urn:base:/t', result: { name: [] } }]);
    const xml = ldpath.evaluate({ path: '.' }, '<urn:s> <urn:p>', { uris: ['urn:s'], type: 'text/turtle' });
    await assert.rejects(xml, (error: { problem: { source: string } }) => error.problem.source === 'data');
  });
});
