import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../src/cli/check.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const COMPACTED = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"';
const VOCABULARY = 'http://vocabulary.example/terms#';
/** Enough triples for pool threads to compute the write. */
const MANY = 17_000;

describe('prefixes of uploads over HTTP (G-56)', () => {
  let directory = '';
  const server = sharedServer(async (scope) => {
    directory = await temporaryDirectory(scope);
    return ['--data', directory, '--threads', '2'];
  });
  const url = (graph: string) => `${server.url}/context?graph=${encodeURIComponent(graph)}`;
  const send = (graph: string, body: string, type = 'text/turtle', method = 'PUT') =>
    fetch(url(graph), { method, headers: { 'Content-Type': type }, body });
  const get = async (path: string, accept: string) => {
    const response = await fetch(path, { headers: { Accept: accept } });
    assert.equal(response.status, 200);
    return { text: await response.text(), tag: response.headers.get('etag') };
  };

  it('are used in each format that has prefixes', async () => {
    const body = `PREFIX v: <${VOCABULARY}>\nPREFIX ids: <urn:ids:>\n ids:a v:knows ids:b .`;
    assert.ok((await send('urn:x:g', body)).ok);
    assert.equal(
      (await get(url('urn:x:g'), 'text/turtle')).text,
      `@prefix ids: <urn:ids:> .\n@prefix v: <${VOCABULARY}> .\nids:a v:knows ids:b .\n`,
    );
    assert.match((await get(url('urn:x:g'), 'application/trig')).text, /ids:a v:knows ids:b/);
    assert.match((await get(url('urn:x:g'), 'text/n3')).text, /ids:a v:knows ids:b/);
    assert.match(
      (await get(url('urn:x:g'), 'application/rdf+xml')).text,
      /<v:knows rdf:resource="urn:ids:b"/,
    );
    assert.deepEqual(JSON.parse((await get(url('urn:x:g'), COMPACTED)).text), {
      '@context': { ids: 'urn:ids:', v: VOCABULARY },
      '@graph': [{ '@id': 'ids:a', 'v:knows': { '@id': 'ids:b' } }],
    });
    assert.match((await get(`${server.url}/dataset`, 'application/trig')).text, /ids:a v:knows ids:b/);
  });

  for (const [type, body] of [
    ['application/trig', `@prefix own: <${VOCABULARY}> . { <urn:s> own:p <urn:o> }`],
    ['text/n3', `@prefix own: <${VOCABULARY}> . <urn:s> own:p <urn:o> .`],
    [
      'application/rdf+xml',
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:own="${VOCABULARY}">
         <r:Description r:about="urn:s"><own:p r:resource="urn:o"/></r:Description></r:RDF>`,
    ],
    [
      'application/ld+json',
      `[{"@id": "urn:s", "own:p": {"@id": "urn:o"}, "@context":
         [{"x": "own:x/", "term": "${VOCABULARY}p"}, {"own": {"@id": "${VOCABULARY}", "@prefix": true}}]}]`,
    ],
  ] as const) {
    it(`are read from ${type}`, async () => {
      assert.ok((await send(`urn:x:${type}`, body, type)).ok);
      const { text } = await get(url(`urn:x:${type}`), 'text/turtle');
      assert.equal(text, `@prefix own: <${VOCABULARY}> .\n<urn:s> own:p <urn:o> .\n`);
    });
  }

  it('change with the entity tag, and only with the triples', async () => {
    const graph = 'urn:x:tags';
    const triple = `<urn:s> <${VOCABULARY}p> <urn:o>`;
    await send(graph, `@prefix one: <${VOCABULARY}> . ${triple} .`);
    const first = await get(url(graph), 'text/turtle');
    await send(graph, `@prefix two: <${VOCABULARY}> . ${triple} .`);
    assert.deepEqual(await get(url(graph), 'text/turtle'), first);
    await send(graph, `@prefix two: <${VOCABULARY}> . ${triple}, <urn:o2> .`);
    const second = await get(url(graph), 'text/turtle');
    assert.match(second.text, /two:p/);
    assert.notEqual(second.tag, first.tag);
  });

  it('are remembered of LDP resources, and not shown as data', async () => {
    const body = `@prefix v: <${VOCABULARY}> . <> v:title "A" .`;
    const response = await fetch(`${server.url}/ldp`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/turtle', Slug: 'prefixed' },
      body,
    });
    const location = server.url + new URL(response.headers.get('location') ?? '').pathname;
    assert.match((await get(location, 'text/turtle')).text, /v:title "A"/);
    const list = await get(`${server.url}/context/list`, 'application/json');
    const dump = await get(`${server.url}/dataset`, 'application/n-quads');
    const query = 'SELECT * { GRAPH ?g { ?s <urn:x-pathpool:prefixes> ?o } }';
    const rows = await get(`${server.url}/sparql?query=${encodeURIComponent(query)}`, 'text/csv');
    assert.doesNotMatch(list.text + dump.text, /x-pathpool/);
    assert.equal(rows.text.trim(), 'g,s,o');
    const deleted = await fetch(location, { method: 'DELETE' });
    assert.ok(deleted.ok);
  });

  it('are not counted, also with a big write, and the data directory stays sound', async () => {
    const lines = Array.from({ length: MANY }, (_, i) => `v:s${i} v:p ${i} .`);
    const body = `@prefix v: <${VOCABULARY}> .\n${lines.join('\n')}`;
    const response = await send('urn:x:big', body);
    assert.ok(response.ok);
    assert.match((await get(url('urn:x:big'), 'text/turtle')).text, /v:s1 v:p 1 \./);
    const list = await get(`${server.url}/context/list?labels=true`, 'application/json');
    const entry = (JSON.parse(list.text) as { uri: string; size: number }[]).find(
      ({ uri }) => uri === 'urn:x:big',
    );
    assert.equal(entry?.size, MANY);
    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    server.process.kill('SIGTERM');
    await ended;
    assert.equal((await check(directory)).damaged, false);
  });
});
