/** Triple terms and directions of texts (RDF 1.2) on their way through the server. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

const NT = 'application/n-triples';
const TRIPLE = '<<( <urn:a> <urn:p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> )>>';
const REIFIED = `<urn:r> <urn:reifies> ${TRIPLE} .`;
const DIRECTED = '<urn:r> <urn:text> "שלום"@he--rtl .';

describe('RDF 1.2 over HTTP', () => {
  const server = sharedServer();
  const context = (graph: string) => `${server.url}/context?graph=${encodeURIComponent(graph)}`;
  const put = async (graph: string, body: string, type = NT) => {
    const response = await fetch(context(graph), { method: 'PUT', headers: { 'Content-Type': type }, body });
    assert.ok(response.ok, await response.clone().text());
  };
  const get = (graph: string, accept = NT, method = 'GET') =>
    fetch(context(graph), { method, headers: { Accept: accept } });
  const lines = async (graph: string) => (await (await get(graph)).text()).split('\n').filter(Boolean).sort();
  const select = async (query: string, accept = 'text/tab-separated-values') => {
    const url = `${server.url}/sparql?query=${encodeURIComponent(query)}`;
    const response = await fetch(url, { headers: { Accept: accept } });
    assert.equal(response.status, 200);
    return response.text();
  };
  const update = (text: string) =>
    fetch(`${server.url}/update`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-update' },
      body: text,
    });
  const path = async (text: string, uri: string) => {
    const query = new URLSearchParams({ path: text, uri });
    const response = await fetch(`${server.url}/ldpath/path?${query}`);
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  };

  it('G-48: stores and returns triple terms and directions as N-Triples, N-Quads, Turtle and TriG', async () => {
    await put('urn:x:1', `${REIFIED}\n${DIRECTED}`);
    assert.deepEqual(await lines('urn:x:1'), [REIFIED, DIRECTED].sort());
    for (const type of ['application/n-quads', 'text/turtle', 'application/trig']) {
      const body = await (await get('urn:x:1', type)).text();
      assert.ok(body.includes(TRIPLE) && body.includes('"שלום"@he--rtl'), `${type}: ${body}`);
    }
  });

  it('gives the blank nodes in a triple term the labels that they have elsewhere', async () => {
    const document = [
      '_:r <urn:reifies> <<( _:a <urn:p> <<( _:b <urn:q> _:a )>> )>> .',
      '_:a <urn:name> "a" .',
      '_:b <urn:name> "b" .',
    ];
    await put('urn:x:2', document.join('\n'));
    await put('urn:x:3', document.join('\n'));
    const [two, three] = [await lines('urn:x:2'), await lines('urn:x:3')];
    for (const text of [two.join('\n'), three.join('\n')]) {
      const label = (name: string) => new RegExp(`(_:\\S+) <urn:name> "${name}"`).exec(text)![1];
      assert.ok(
        text.includes(`<<( ${label('a')} <urn:p> <<( ${label('b')} <urn:q> ${label('a')} )>> )>>`),
        text,
      );
    }
    assert.notDeepEqual(two, three);
  });

  it('G-54: formats without triple terms give way to others, or are 406; so does HEAD', async () => {
    await put('urn:x:4', REIFIED);
    for (const method of ['GET', 'HEAD']) {
      for (const type of ['application/ld+json', 'application/rdf+json']) {
        assert.equal((await get('urn:x:4', type, method)).status, 406, type);
        const other = await get('urn:x:4', `${type}, application/rdf+json, text/turtle;q=0.1`, method);
        assert.equal(other.headers.get('content-type'), 'text/turtle; charset=utf-8');
      }
    }
  });

  it('G-54: RDF/JSON is 406 for a direction, which JSON-LD has', async () => {
    await put('urn:x:5', DIRECTED);
    assert.equal((await get('urn:x:5', 'application/rdf+json')).status, 406);
    const body = await (await get('urn:x:5', 'application/ld+json')).text();
    assert.ok(body.includes('{"@value":"שלום","@language":"he","@direction":"rtl"}'), body);
  });

  it('RDF/XML has triple terms and directions', async () => {
    const nested = '<urn:r> <urn:x:reifies> <<( <urn:a> <urn:x:p> <<( _:b <urn:x:q> "a<b"@en--ltr )>> )>> .';
    await put('urn:x:6', nested);
    const body = await (await get('urn:x:6', 'application/rdf+xml')).text();
    assert.match(body, /rdf:version="1.2" rdf:parseType="Triple"/);
    assert.match(body, /its:dir="ltr">a&lt;b</);
  });

  it('P-4: a path returns triple terms and directions', async () => {
    await put('urn:x:7', `<urn:seven> <urn:reifies> ${TRIPLE}, "x"@en--ltr .`, 'text/turtle').catch(() => {});
    await put('urn:x:7', `<urn:seven> <urn:reifies> ${TRIPLE} .\n<urn:seven> <urn:text> "x"@en--ltr .`);
    assert.deepEqual(await path('<urn:reifies>', 'urn:seven'), [{ type: 'triple', value: TRIPLE }]);
    const text = { type: 'literal', value: 'x', lang: 'en', direction: 'ltr' };
    assert.deepEqual(await path('<urn:text>', 'urn:seven'), [text]);
    assert.deepEqual(await path('<urn:text>[@en]', 'urn:seven'), [text]);
    assert.deepEqual(await path('fn:lang(<urn:text>)', 'urn:seven'), [{ type: 'literal', value: 'en' }]);
  });

  it('SPARQL sees triple terms and directions, as the data write them', async () => {
    await put('urn:x:8', `<urn:eight> <urn:v> ${TRIPLE} .\n<urn:eight> <urn:w> "x"@en--ltr .`);
    assert.equal(await select('SELECT ?v { <urn:eight> <urn:v> ?v }'), `?v\n${TRIPLE}\n`);
    assert.equal(
      await select(
        'SELECT ?o { <urn:eight> <urn:v> <<( ?s <urn:p> ?o )>> . <urn:eight> <urn:w> ?w FILTER(LANGDIR(?w) = "ltr") }',
      ),
      '?o\n1\n',
    );
    const json = JSON.parse(
      await select('SELECT * { <urn:eight> ?p ?v }', 'application/sparql-results+json'),
    );
    const types = json.results.bindings.map((row: { v: { type: string } }) => row.v.type).sort();
    assert.deepEqual(types, ['literal', 'triple']);
  });

  it('an update whose pattern finds a triple term moves and removes it', async () => {
    await put('urn:x:9', `<urn:nine> <urn:v> ${TRIPLE} .\n<urn:nine> <urn:v> <<( _:b <urn:p> <urn:o> )>> .`);
    const moved = 'WITH <urn:x:9> DELETE { ?s <urn:v> ?v } INSERT { ?s <urn:w> ?v } WHERE { ?s <urn:v> ?v }';
    assert.ok((await update(moved)).ok);
    const [first = '', second] = await lines('urn:x:9');
    assert.equal(first, `<urn:nine> <urn:w> ${TRIPLE} .`);
    assert.match(second ?? '', /^<urn:nine> <urn:w> <<\( _:\S+ <urn:p> <urn:o> \)>> \.$/);
    assert.ok((await update('DELETE WHERE { GRAPH <urn:x:9> { ?s ?p ?o } }')).ok);
    assert.deepEqual(await lines('urn:x:9'), []);
  });

  it('an update cannot write triple terms', async () => {
    const response = await update('INSERT DATA { <urn:s> <urn:p> <<( <urn:a> <urn:b> <urn:c> )>> }');
    assert.equal(response.status, 400);
  });

  it('P-2: a triple term is no start resource', async () => {
    await put('urn:x:10', '<urn:ten> <urn:v> <<( <urn:a> <urn:p> <urn:b> )>> .');
    const response = await fetch(`${server.url}/ldpath/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: '^<urn:v>', uris: ['<( <urn:a> <urn:p> <urn:b> )>'] }),
    });
    assert.ok(!(await response.text()).includes('urn:ten'));
  });
});
