import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

const prefixed = (media: string) => ({ 'Content-Type': media });
const TURTLE = prefixed('text/turtle');

describe('G-106: language tags over HTTP', () => {
  const server = sharedServer();
  const graph = (name: string, more = '') => `${server.url}/context?graph=${encodeURIComponent(name)}${more}`;
  const put = async (name: string, body: string, headers: Record<string, string> = TURTLE) => {
    const response = await fetch(graph(name), { method: 'PUT', headers, body });
    assert.ok(response.ok, await response.text());
  };
  const get = async (name: string, format = 'nt') => (await fetch(graph(name, `&format=${format}`))).text();
  const send = async (path: string, type: string, body: string, accept = '*/*') => {
    const headers = { 'Content-Type': type, Accept: accept };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text;
  };
  const update = (text: string) => send('/update', 'application/sparql-update', text);
  const query = (text: string, accept: string) => send('/query', 'application/sparql-query', text, accept);

  it('are written in every format as they were read in any', async () => {
    const documents: [type: string, text: string][] = [
      ['text/turtle', '<urn:s> <urn:p> "1"@en-US .'],
      ['application/trig', '<urn:s> <urn:p> "1"@en-US .'],
      ['application/n-triples', '<urn:s> <urn:p> "1"@en-US .'],
      ['application/n-quads', '<urn:s> <urn:p> "1"@en-US .'],
      ['application/rdf+json', '{"urn:s":{"urn:p":[{"type":"literal","value":"1","lang":"en-US"}]}}'],
      ['application/ld+json', '{"@id":"urn:s","urn:p":{"@value":"1","@language":"en-US"}}'],
      [
        'application/rdf+xml',
        '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="urn:s"><p xmlns="urn:" xml:lang="en-US">1</p></r:Description></r:RDF>',
      ],
    ];
    for (const [index, [type, text]] of documents.entries()) {
      const name = `urn:g:read:${index}`;
      await put(name, text.replace('1"', `${index}"`).replace('>1<', `>${index}<`), prefixed(type));
      for (const format of ['nt', 'ttl', 'trig', 'nq', 'n3', 'rdfxml', 'jsonld', 'rdfjson']) {
        assert.match(await get(name, format), /en-US/, `${type} as ${format}`);
      }
    }
  });

  it('do not distinguish literals, whose first spelling stays', async () => {
    await put('urn:g:first', '<urn:s> <urn:p> "x"@de-AT, "x"@DE-at .');
    assert.equal(await get('urn:g:first'), '<urn:s> <urn:p> "x"@de-AT .\n');
    const tag = (await fetch(graph('urn:g:first'))).headers.get('etag');
    await put('urn:g:first', '<urn:s> <urn:p> "x"@DE-AT .');
    assert.equal((await fetch(graph('urn:g:first'))).headers.get('etag'), tag);
    await put('urn:g:second', '<urn:t> <urn:p> "x"@DE-AT .');
    assert.equal(await get('urn:g:second'), '<urn:t> <urn:p> "x"@de-AT .\n');
    await update('DELETE DATA { GRAPH <urn:g:first> { <urn:s> <urn:p> "x"@de-at } }');
    assert.equal(await get('urn:g:first'), '');
  });

  it('are in results of SPARQL as in the data, except for those of LANG()', async () => {
    await put('urn:g:sparql', '<urn:s> <urn:q> "y"@en-GB .');
    const select = 'SELECT ?o (LANG(?o) AS ?l) { ?s <urn:q> ?o FILTER (?o = "y"@EN-gb) }';
    const json = JSON.parse(await query(select, 'application/sparql-results+json'));
    assert.deepEqual(json.results.bindings, [
      { o: { type: 'literal', value: 'y', 'xml:lang': 'en-GB' }, l: { type: 'literal', value: 'en-gb' } },
    ]);
    assert.match(await query(select, 'application/sparql-results+xml'), /xml:lang="en-GB"/);
    assert.match(await query(select, 'text/tab-separated-values'), /"y"@en-GB\t"en-gb"/);
    assert.match(await query('CONSTRUCT WHERE { ?s <urn:q> ?o }', 'text/turtle'), /"y"@en-GB/);
    assert.match(await query('DESCRIBE <urn:s>', 'application/n-triples'), /"y"@en-GB/);
  });

  it('are kept by updates, and found in any case', async () => {
    await update('INSERT DATA { GRAPH <urn:g:update> { <urn:s> <urn:r> "z"@fr-CA, "z"@FR-ca, "w"@fr-ca } }');
    assert.match(await get('urn:g:update'), /"z"@fr-CA/);
    await update(
      'DELETE { GRAPH ?g { ?s <urn:r> ?o } } INSERT { GRAPH ?g { ?s <urn:moved> ?o, "new"@fr-CH } } WHERE { GRAPH ?g { ?s <urn:r> ?o } }',
    );
    assert.deepEqual((await get('urn:g:update')).trimEnd().split('\n').toSorted(), [
      '<urn:s> <urn:moved> "new"@fr-CH .',
      '<urn:s> <urn:moved> "w"@fr-ca .',
      '<urn:s> <urn:moved> "z"@fr-CA .',
    ]);
    await update('DELETE WHERE { GRAPH <urn:g:update> { ?s ?p "z"@fr-ca } }');
    assert.doesNotMatch(await get('urn:g:update'), /"z"/);
  });

  it('are removed by patches in any case', async () => {
    const created = await fetch(`${server.url}/ldp`, {
      method: 'POST',
      headers: TURTLE,
      body: '<> <urn:p> "patched"@pt-BR .',
    });
    const uri = `${server.url}${new URL(created.headers.get('location')!).pathname}`;
    const patch = (type: string, body: string) =>
      fetch(uri, { method: 'PATCH', headers: { ...prefixed(type), 'If-Match': '*' }, body });
    const name = new URL(created.headers.get('location')!).href;
    const patched = await patch(
      'application/rdf-patch',
      `D <${name}> <urn:p> "patched"@PT-br .\nA <${name}> <urn:p> "more"@pt-PT .`,
    );
    assert.equal(patched.status, 204, await patched.text());
    const read = async () => (await fetch(uri, { headers: { Accept: 'application/n-triples' } })).text();
    assert.doesNotMatch(await read(), /"patched"/);
    assert.match(await read(), /"more"@pt-PT/);
    const updated = await patch('application/sparql-update', 'DELETE WHERE { ?s <urn:p> "more"@pt-pt }');
    assert.equal(updated.status, 204, await updated.text());
    assert.doesNotMatch(await read(), /"more"/);
  });

  it('are tested by LDPath in any case, and are as in the data in its results', async () => {
    await put('urn:g:ldpath', '<urn:ldpath> <urn:p> "v"@es-MX, "v"@es .');
    const path = encodeURIComponent('<urn:p>[@ES-mx]');
    const response = await fetch(`${server.url}/ldpath/path?uri=urn:ldpath&path=${path}`);
    assert.deepEqual(await response.json(), [{ type: 'literal', value: 'v', lang: 'es-MX' }]);
  });
});
