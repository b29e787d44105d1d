/** Apache Solr, filled by `pathpool index`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPathpool, startServer } from '../../support/server-process.ts';
import { startSolr } from './solr-server.ts';

const DATA = `@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:x:ada> a foaf:Person ; foaf:name "Ada" ; foaf:knows <urn:x:grace> ; foaf:age 36 ; foaf:birthday "1815-12-10"^^xsd:date .
<urn:x:grace> a foaf:Person ; foaf:name "Grace" .
`;
const PROGRAM = `@prefix foaf : <http://xmlns.com/foaf/0.1/> ;
name = foaf:name :: xsd:string ;
friends = foaf:knows / foaf:name :: xsd:string ;
birthday = foaf:birthday :: xsd:date ;
age = foaf:age :: xsd:integer ;
`;

test('Solr: finds the documents of a stored program, and what changes', async (context) => {
  const solr = await startSolr(context);
  if ('missing' in solr) return context.skip(solr.missing);
  const fields = [
    { name: 'birthday', type: 'pdate', multiValued: true },
    { name: 'age', type: 'pint', multiValued: true },
  ];
  const schema = JSON.stringify({ 'add-field': fields });
  assert.equal((await send(`${solr.core}/schema`, 'POST', 'application/json', schema)).status, 200);
  const { url } = await startServer(context, ['--memory']);
  const graph = `${url}/context?graph=urn:x:people`;
  await send(graph, 'PUT', 'text/turtle', DATA);
  const type = encodeURIComponent('http://xmlns.com/foaf/0.1/Person');
  await send(`${url}/ldpath/programs/people?type=${type}`, 'PUT', 'text/plain', PROGRAM);
  const args = ['index', '--server', url, '--name', 'people', '--to', `solr:${solr.core}`, '--once'];
  const first = await runPathpool(args);
  assert.equal(first.status, 0, first.err);
  assert.deepEqual(await found(solr.core, 'friends:Grace'), ['urn:x:ada']);
  assert.deepEqual(await found(solr.core, 'birthday:"1815-12-10T00:00:00Z"'), ['urn:x:ada']);
  assert.deepEqual(await found(solr.core, 'age:[30 TO 40]'), ['urn:x:ada']);
  await send(graph, 'PUT', 'text/turtle', DATA.replace('"Grace"', '"Rear Admiral"').replace('36', '37'));
  assert.equal((await runPathpool(args)).status, 0);
  assert.deepEqual(await found(solr.core, 'friends:"Rear Admiral"'), ['urn:x:ada']);
  assert.deepEqual(await found(solr.core, 'friends:Grace'), []);
  await send(graph, 'PUT', 'text/turtle', DATA.replace('<urn:x:grace> a foaf:Person ;', '<urn:x:grace>'));
  assert.equal((await runPathpool(args)).status, 0);
  assert.deepEqual(await found(solr.core, 'pathpool_program_s:people'), ['urn:x:ada']);
  assert.equal((await runPathpool([...args, '--rebuild'])).status, 0);
  assert.deepEqual(await found(solr.core, 'pathpool_program_s:people'), ['urn:x:ada']);
});

async function send(url: string, method: string, type: string, body: string): Promise<Response> {
  const response = await fetch(url, { method, headers: { 'Content-Type': type }, body });
  assert.ok(response.ok, `${response.status} ${await response.clone().text()}`);
  return response;
}

/** The ids of the documents that a query finds, once Solr shows what it has. */
async function found(core: string, query: string): Promise<string[]> {
  await send(`${core}/update?commit=true`, 'POST', 'application/json', '{}');
  const response = await fetch(
    `${core}/select?${new URLSearchParams({ q: query, fl: 'id', sort: 'id asc' })}`,
  );
  const { response: result } = (await response.json()) as { response: { docs: { id: string }[] } };
  return result.docs.map(({ id }) => id);
}
