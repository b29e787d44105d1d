import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SCHEMA = 'http://schema.org/';
const PROGRAM = `@prefix schema : <http://schema.org/> ;
label = rdfs:label ; superclasses = (rdfs:subClassOf)+ ; properties = ^schema:domainIncludes / rdfs:label ;
subclasses = fn:count(^rdfs:subClassOf) :: xsd:integer ;`;

const WRITERS = 200;

const schemaFile = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'));

function contextUrl(url: string, graph: string): string {
  return `${url}/context?graph=${encodeURIComponent(graph)}`;
}

async function evaluate(url: string, name: string): Promise<string> {
  const target = `${url}/ldpath/program?uri=${encodeURIComponent(SCHEMA + name)}`;
  const response = await fetch(target, { method: 'POST', body: PROGRAM });
  assert.equal(response.status, 200);
  return response.text();
}

async function entityTag(url: string, graph: string): Promise<string | null> {
  const response = await fetch(contextUrl(url, graph), { method: 'HEAD' });
  assert.equal(response.status, 200);
  return response.headers.get('etag');
}

async function put(url: string, graph: string, turtle: string): Promise<number> {
  const headers = { 'Content-Type': 'text/turtle' };
  const response = await fetch(contextUrl(url, graph), { method: 'PUT', headers, body: turtle });
  await response.arrayBuffer();
  return response.status;
}

describe('a data directory', () => {
  it('has the same results and the same entity tags after kill -9', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '2']);
    const body = await readFile(schemaFile);
    const headers = { 'Content-Type': 'application/n-quads' };
    const response = await fetch(contextUrl(first.url, SCHEMA), { method: 'PUT', headers, body });
    assert.equal(response.status, 201);
    const names = ['Person', 'Book', 'Thing', 'MusicEvent'];
    const results = await Promise.all(names.map((name) => evaluate(first.url, name)));
    assert.match(results[0] ?? '', /"superclasses":\[\{"type":"uri","value":"http:\/\/schema.org\/Thing"\}/);
    const tag = await entityTag(first.url, SCHEMA);
    await first.kill();

    const second = await startServer(context, ['--data', data, '--threads', '2']);
    assert.match(second.readyLine, / 17832 quads, front (uws|node)\)$/);
    assert.deepEqual(await Promise.all(names.map((name) => evaluate(second.url, name))), results);
    assert.equal(await entityTag(second.url, SCHEMA), tag);
    const unchanged = await fetch(contextUrl(second.url, SCHEMA), {
      headers: { 'If-None-Match': tag ?? '' },
    });
    assert.equal(unchanged.status, 304);
  });

  it('has every acknowledged write after kill -9 at any moment', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    const acknowledged: number[] = [];
    let killed: Promise<void> | undefined;
    const write = async (i: number) => {
      const status = await put(first.url, `urn:x:g${i}`, `<urn:x:s> <urn:x:p> ${i} .`);
      assert.equal(status, 201);
      acknowledged.push(i);
      if (acknowledged.length === 60) killed = first.kill();
    };
    // However fast the server is, writes are in progress when it ends: each writer continues until
    // the server is gone.
    const writeOn = async (from: number) => {
      for (let i = from; ; i += WRITERS) await write(i);
    };
    const outcomes = await Promise.allSettled(Array.from({ length: WRITERS }, (_, i) => writeOn(i)));
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && !(outcome.reason instanceof assert.AssertionError));
    }
    assert.ok(killed);
    await killed;

    const second = await startServer(context, ['--data', data, '--threads', '1']);
    for (const i of acknowledged) {
      const response = await fetch(`${contextUrl(second.url, `urn:x:g${i}`)}&format=nt`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), new RegExp(`"${i}"`));
    }
  });

  it('C-4, C-17: keeps removals, replacements and empty graphs across a restart', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    assert.equal(await put(first.url, 'urn:x:replaced', '<urn:x:a> <urn:x:p> 1, 2 .'), 201);
    assert.equal(await put(first.url, 'urn:x:replaced', '<urn:x:a> <urn:x:p> 2, 3 .'), 204);
    assert.equal(await put(first.url, 'urn:x:dropped', '<urn:x:a> <urn:x:p> 4 .'), 201);
    assert.equal((await fetch(contextUrl(first.url, 'urn:x:dropped'), { method: 'DELETE' })).status, 200);
    assert.equal(await put(first.url, 'urn:x:empty', ''), 201);
    const listing = await (await fetch(`${first.url}/context/list?labels`)).json();
    assert.equal(await first.end('SIGTERM'), 0);

    const second = await startServer(context, ['--data', data, '--threads', '1']);
    assert.deepEqual(await (await fetch(`${second.url}/context/list?labels`)).json(), listing);
    const text = await (await fetch(`${contextUrl(second.url, 'urn:x:replaced')}&format=nt`)).text();
    assert.deepEqual(text.match(/"\d"/g)?.sort(), ['"2"', '"3"']);
    assert.equal((await fetch(contextUrl(second.url, 'urn:x:dropped'))).status, 404);
  });

  it('has one server, and a second one names the process of the first and ends with status 2', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    await assert.rejects(
      startServer(context, ['--data', data, '--threads', '1']),
      new RegExp(`ended with 2: .*${first.process.pid}`),
    );
  });
});

describe('a server in memory', () => {
  it('starts without data, and has new entity tags', async (context) => {
    const tags = [];
    for (const _ of [1, 2]) {
      const server = await startServer(context, ['--memory', '--threads', '1']);
      assert.match(server.readyLine, /\(in memory, 1 threads, 8 quads, front (uws|node)\)$/);
      assert.equal(await put(server.url, 'urn:x:g', '<urn:x:s> <urn:x:p> 1 .'), 201);
      tags.push(await entityTag(server.url, 'urn:x:g'));
      assert.equal(await server.end('SIGINT'), 0);
    }
    assert.notEqual(tags[0], tags[1]);
  });
});
