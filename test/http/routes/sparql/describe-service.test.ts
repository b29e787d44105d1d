import assert from 'node:assert/strict';
import { test } from 'node:test';
import oxigraph from 'oxigraph';
import { formats } from '../../../../src/rdf/media-types/media-types.ts';
import { bodyText, headerOf } from '../../fake-request.ts';
import { base, FakeSparql } from './fakes.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';

async function described(sparql: FakeSparql, path: string, accept?: string): Promise<oxigraph.Store> {
  const response = await sparql.ask('GET', path, { headers: { ...(accept && { accept }) } });
  assert.equal(response.status, 200);
  const store = new oxigraph.Store();
  const type = headerOf(response, 'content-type')!.split(';')[0]!;
  store.load(bodyText(response), { format: type });
  return store;
}

test('an endpoint without a query describes itself', async () => {
  for (const path of ['/sparql', '/query', '/sparql/select']) {
    const store = await described(new FakeSparql(), path);
    const query = `PREFIX sd: <${SD}> ASK {
      <${base}${path}> a sd:Service ; sd:endpoint <${base}${path}> ;
        sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:UnionDefaultGraph ;
        sd:resultFormat <http://www.w3.org/ns/formats/SPARQL_Results_JSON>, <http://www.w3.org/ns/formats/Turtle> ;
        sd:defaultDataset [ a sd:Dataset ; sd:defaultGraph [ a sd:Graph ] ]
    }`;
    assert.equal(store.query(query), true, path);
    const update = `ASK { ?s <${SD}supportedLanguage> <${SD}SPARQL11Update> }`;
    assert.equal(store.query(update), path === '/sparql', path);
  }
});

test('without the union the description does not mention it', async () => {
  const store = await described(new FakeSparql('default'), '/sparql');
  assert.equal(store.query(`ASK { ?s <${SD}feature> ?o }`), false);
});

test('the description is available in every RDF format', async () => {
  const sparql = new FakeSparql();
  const expected = (await described(sparql, '/sparql')).size;
  assert.ok(expected > 15);
  for (const { mediaType } of formats) {
    const response = await sparql.ask('GET', '/sparql', { headers: { accept: mediaType } });
    assert.equal(headerOf(response, 'content-type')?.split(';')[0], mediaType);
    assert.equal(headerOf(response, 'vary'), 'Accept');
    if (mediaType === 'application/rdf+json') assert.ok(JSON.parse(bodyText(response))[`${base}/sparql`]);
    else assert.equal((await described(sparql, '/sparql', mediaType)).size, expected, mediaType);
  }
  const html = await sparql.ask('GET', '/sparql', { headers: { accept: 'text/html' } });
  assert.equal(html.status, 406);
});
