import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it, type TestContext } from 'node:test';
import {
  type BatchLine,
  type BatchOfSet,
  type Fields,
  PathpoolClient,
} from '../../../src/library/client/entry.ts';
import { suiteScope } from '../../support/scope.ts';
import { startServer } from '../../support/server-process.ts';

const people =
  '@prefix foaf: <http://xmlns.com/foaf/0.1/> . <urn:x:a> foaf:name "Anna" ; foaf:knows <urn:x:b> .';

/** A server that answers every request in one way. */
async function answering(context: TestContext, type: string, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
  return listening(context, server);
}

async function listening(context: TestContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('pathpool/client', () => {
  const scope = suiteScope();
  let url: string;
  before(async () => {
    const args = ['--memory', '--threads', '2', '--sparql-threads', '1'];
    // Its own address is its base, so that redirects lead to it.
    ({ url } = await startServer(scope, args, {}, null));
  });
  const connect = () => new PathpoolClient(`${url}/`);

  it('reads and writes graphs', async () => {
    const { graphs } = connect();
    const graph = 'urn:x:graphs?a=1&b=2';
    assert.deepEqual([await graphs.put(graph, people), await graphs.put(graph, people)], [true, false]);
    const more = '<urn:x:b> <urn:x:p> "1"';
    const type = 'application/n-triples';
    assert.deepEqual(await graphs.add(graph, `${more} .`, { type }), { created: false, added: 1 });
    assert.deepEqual(await graphs.add('urn:x:new', `${more} .`), { created: true, added: undefined });
    const response = await graphs.get(graph, { type });
    assert.equal((await response.text()).split('\n').length, 4);
    const ifNoneMatch = response.headers.get('ETag')!;
    assert.equal((await graphs.get(graph, { type, ifNoneMatch })).status, 304);
    const listed = await graphs.list({ limit: 1000 });
    assert.deepEqual(listed.find(({ uri }) => uri === graph)?.size, 3);
    await graphs.delete(graph, { ifMatch: ifNoneMatch });
    await assert.rejects(graphs.get(graph), { name: 'PathpoolError', status: 404, code: 'graph-not-found' });
    assert.equal((await graphs.get({ default: true })).status, 200);
    await assert.rejects(graphs.put('urn:x:new', people, { ifNoneMatch: '*' }), { status: 412 });
  });

  it('reads and writes resources', async () => {
    const { resources } = connect();
    const uri = 'urn:x:resource#1';
    assert.equal(await resources.exists(uri), false);
    assert.deepEqual(await resources.create(uri), { uri, created: true });
    assert.deepEqual(await resources.create(uri), { uri, created: false });
    assert.match((await resources.create()).uri, /\/resource\/[0-9a-f-]{36}$/);
    assert.equal(await resources.exists(uri), true);
    const change = await resources.putDescription(uri, `<${uri}> <urn:x:p> 1 . <urn:x:other> <urn:x:p> 2 .`);
    assert.deepEqual(change, { uri, added: 1, removed: 0, ignored: 1 });
    assert.match(await (await resources.description(uri)).text(), /urn:x:p> 1/);
    const compacted = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"';
    const description = await resources.description(uri, { type: compacted });
    assert.equal(description.headers.get('Content-Type'), compacted);
    assert.match(await description.text(), /^\{"@context"/);
    const same = { uri, added: 1, removed: 1, ignored: 0 };
    const plain = { type: 'text/turtle; charset=utf-8' };
    assert.deepEqual(await resources.putDescription(uri, `<${uri}> <urn:x:p> 3 .`, plain), same);
    const type = 'image/png';
    assert.equal(await resources.putContent(uri, new Uint8Array([1, 2, 3]), { type }), true);
    const content = await resources.content(uri);
    assert.equal(content.headers.get('Content-Type'), type);
    assert.deepEqual([...new Uint8Array(await content.arrayBuffer())], [1, 2, 3]);
    await resources.deleteContent(uri);
    await resources.deleteDescription(uri);
    await assert.rejects(resources.content(uri), { code: 'content-not-found' });
    await resources.delete(uri);
    assert.equal(await resources.exists(uri), false);
  });

  it('checks programs and traces their evaluation', async () => {
    const { graphs, ldpath } = connect();
    await graphs.put('urn:x:people', people);
    const prefixes = { f: 'http://xmlns.com/foaf/0.1/' };
    const { errors, fields } = await ldpath.check('name = f:name ;', { prefixes });
    assert.deepEqual([errors, fields[0]!.name], [[], 'name']);
    assert.equal((await ldpath.check('name = f:name ;')).errors[0]!.code, 'unknown-prefix');
    assert.equal((await ldpath.check('.', { kind: 'path' })).errors.length, 0);
    const { result, warnings, trace } = await ldpath.trace('name = f:name ;', 'urn:x:a', { prefixes });
    assert.deepEqual(result, { name: [{ type: 'literal', value: 'Anna' }] });
    assert.deepEqual(warnings, []);
    assert.equal(trace.edges[0]!.predicate, 'http://xmlns.com/foaf/0.1/name');
  });

  it('evaluates paths and programs', async () => {
    const { graphs, ldpath } = connect();
    await graphs.put('urn:x:people', people);
    const prefixes = { f: 'http://xmlns.com/foaf/0.1/' };
    assert.deepEqual(await ldpath.path('f:name', 'urn:x:a', { prefixes }), [
      { type: 'literal', value: 'Anna' },
    ]);
    const fields = await ldpath.program('name = f:name ; none = f:nick ;', 'urn:x:a', { prefixes });
    assert.deepEqual(fields, { name: [{ type: 'literal', value: 'Anna' }], none: [] });
    await assert.rejects(ldpath.program('name = \n ;', 'urn:x:a'), (error) => {
      const { code, problem } = error as { code: string; problem: { line: number; expected: string[] } };
      assert.deepEqual([code, problem.line], ['parse-error', 2]);
      assert.ok(problem.expected.length > 0);
      return true;
    });
    assert.ok((await ldpath.functions()).some(({ name }) => name === 'concat'));
  });

  it('keeps programs by name', async () => {
    const { graphs, ldpath, programs } = connect();
    await graphs.put('urn:x:people', people);
    const definition = { program: 'name = f:name ;', namespaces: { f: 'http://xmlns.com/foaf/0.1/' } };
    const { tag, warnings } = await programs.put('people', { ...definition, starts: { subjects: true } });
    assert.deepEqual(warnings, []);
    const { program, starts, commit } = await programs.get('people');
    assert.deepEqual([program, starts], [definition.program, { subjects: true }]);
    assert.deepEqual(
      (await programs.list()).map((each) => [each.name, each.commit]),
      [['people', commit]],
    );
    const result = { name: [{ type: 'literal', value: 'Anna' }] };
    assert.deepEqual(await programs.evaluate('people', 'urn:x:a'), result);
    const { value } = await ldpath.batchOfStored('people', { uris: ['urn:x:a'] }).next();
    assert.deepEqual(value, { uri: 'urn:x:a', result });
    const uris: string[] = [];
    for await (const { uri } of ldpath.batchOfStored('people')) uris.push(uri);
    assert.ok(uris.includes('urn:x:a'));
    await assert.rejects(programs.put('people', definition, { ifNoneMatch: '*' }), { status: 412 });
    await programs.delete('people', { ifMatch: tag });
    await assert.rejects(programs.get('people'), { code: 'program-not-found' });
  });

  it('keeps prefixes', async () => {
    const { graphs, ldpath, prefixes } = connect();
    await graphs.put('urn:x:people', people);
    const declared = '@prefix mine: <urn:mine:> . <urn:x:s> mine:p 1 .';
    await graphs.put('urn:x:mine', declared, { storePrefixes: true });
    await graphs.add('urn:x:mine', declared.replaceAll('mine', 'more'), { storePrefixes: true });
    assert.deepEqual(await prefixes.list({ source: 'stored' }), { mine: 'urn:mine:', more: 'urn:more:' });
    for (const prefix of ['mine', 'more']) await prefixes.delete(prefix);
    await graphs.delete('urn:x:mine');
    const { tag, commit } = await prefixes.put('größe', 'http://xmlns.com/foaf/0.1/');
    const known = await prefixes.get('größe');
    assert.deepEqual([known.source, known.tag, known.commit], ['stored', tag, commit]);
    assert.deepEqual(await prefixes.list({ source: 'stored' }), { größe: 'http://xmlns.com/foaf/0.1/' });
    assert.equal((await prefixes.list())['größe'], 'http://xmlns.com/foaf/0.1/');
    assert.equal((await ldpath.path('größe:name', 'urn:x:a')).length, 1);
    await assert.rejects(prefixes.put('größe', 'urn:b:', { ifNoneMatch: '*' }), { status: 412 });
    await prefixes.delete('größe', { ifMatch: tag });
    await assert.rejects(prefixes.get('größe'), { code: 'prefix-not-found' });
  });

  it('streams batches, with a summary at the end', async () => {
    const { graphs, ldpath } = connect();
    await graphs.put('urn:x:people', people);
    const lines: BatchLine<Fields>[] = [];
    const uris = ['urn:x:a', 'urn:x:nobody'];
    const batch = ldpath.batch('@filter foaf:name ; name = foaf:name ;', { uris, ordered: true });
    let next = await batch.next();
    for (; !next.done; next = await batch.next()) lines.push(next.value);
    assert.deepEqual([next.value.count, next.value.errors], [2, 1]);
    assert.deepEqual(lines[0], {
      uri: 'urn:x:a',
      result: { name: [{ type: 'literal', value: 'Anna' }] },
      filter: true,
    });
    assert.equal(lines[1]!.error?.code, 'resource-not-found');
    await assert.rejects(ldpath.batch('a = ;', { uris }).next(), { code: 'parse-error', status: 400 });
  });

  it('streams the members of a set, and goes on after a cursor', async () => {
    const { graphs, ldpath } = connect();
    const starts = { type: 'urn:set:Member' };
    const members = ['a', 'b', 'c'].map((name) => `<urn:set:${name}> a <${starts.type}> .`);
    await graphs.put('urn:x:set', members.join('\n'));
    const read = async (options: Omit<BatchOfSet, 'starts'>) => {
      const batch = ldpath.batchOfPath('rdf:type', { starts, ordered: true, ...options });
      const uris: string[] = [];
      let next = await batch.next();
      for (; !next.done; next = await batch.next()) uris.push(next.value.uri);
      return { uris, summary: next.value };
    };
    const started: unknown[] = [];
    const { uris, summary } = await read({ limit: 2, onStart: (start) => started.push(start) });
    assert.deepEqual(uris, ['urn:set:a', 'urn:set:b']);
    const { position, cursor } = summary;
    assert.deepEqual(started, [{ position, total: 2 }]);
    const rest = await read({ cursor: cursor! });
    assert.deepEqual(rest.uris, ['urn:set:c']);
    const { ms, ...end } = rest.summary;
    assert.equal(typeof ms, 'number');
    assert.deepEqual(end, { count: 1, errors: 0, filtered: 0, position });
  });

  it('ends a batch of which it reads no more', async () => {
    const { graphs, ldpath, tasks } = connect();
    const names = Array.from({ length: 5000 }, (_, i) => `urn:x:many:${i}`);
    await graphs.put('urn:x:many', names.map((name) => `<${name}> <urn:x:p> <urn:x:hub> .`).join('\n'));
    const slow = '<urn:x:p> / ^<urn:x:p>';
    for await (const { result } of ldpath.batchOfPath(slow, { uris: names })) {
      assert.equal(result?.length, 5000);
      break;
    }
    const isBatch = ({ name }: { readonly name: string }) => name.includes('atch');
    // The server notices soon that the connection has ended.
    while ((await tasks.list({ queued: true }))['LDPath']?.some(isBatch));
  });

  it('tells a batch that breaks off, or was cancelled, from a complete one', async (context) => {
    const first = '{"uri":"urn:x:a","result":[]}\n';
    const type = 'application/x-ndjson';
    const broken = new PathpoolClient(await answering(context, type, 200, first));
    const lines = broken.ldpath.batchOfPath('.', { uris: ['urn:x:a'] });
    assert.equal((await lines.next()).done, false);
    await assert.rejects(lines.next(), { name: 'IncompleteBatchError' });
    const end = '{"done":false,"cancelled":true,"count":1,"errors":0}';
    const cancelled = new PathpoolClient(await answering(context, type, 200, first + end));
    const rest = cancelled.ldpath.batchOfPath('.', { uris: ['urn:x:a'] });
    await rest.next();
    await assert.rejects(rest.next(), { name: 'PathpoolError', code: 'cancelled', status: 503 });
  });

  it('tells a batch whose connection breaks within a line from a complete one', async (context) => {
    const server = createServer((_request, response) => {
      response.write('{"uri":"urn:x:a","result":[]}\n{"uri":"ur', () => response.socket!.destroy());
    });
    const type = 'application/x-ndjson';
    for (const address of [
      await listening(context, server),
      await answering(context, type, 200, '{"uri":'),
    ]) {
      const lines = new PathpoolClient(address).ldpath.batchOfPath('.', { uris: ['urn:x:a'] });
      const readAll = async () => {
        while (!(await lines.next()).done);
      };
      await assert.rejects(readAll, { name: 'IncompleteBatchError' });
    }
  });

  it('queries and updates by SPARQL', async () => {
    const { sparql } = connect();
    await sparql.update('INSERT DATA { GRAPH <urn:x:s> { <urn:x:s> <urn:x:p> "ä"@de } }');
    const { variables, solutions } = await sparql.select('SELECT ?o { GRAPH <urn:x:s> { ?s ?p ?o } }');
    assert.deepEqual(variables, ['o']);
    assert.deepEqual(solutions, [{ o: { type: 'literal', value: 'ä', 'xml:lang': 'de' } }]);
    const ask = 'ASK { <urn:x:s> ?p ?o }';
    const answers = [await sparql.ask(ask), await sparql.ask(ask, { defaultGraphs: ['urn:x:none'] })];
    assert.deepEqual(answers, [true, false]);
    const type = 'application/n-triples';
    const response = await sparql.construct('CONSTRUCT WHERE { <urn:x:s> ?p ?o }', { type });
    assert.equal(await response.text(), '<urn:x:s> <urn:x:p> "ä"@de .\n');
    await assert.rejects(sparql.select('SELECT'), { name: 'PathpoolError', code: 'parse-error' });
  });

  it('lists tasks', async () => {
    const { tasks } = connect();
    assert.equal(typeof (await tasks.list({ queued: true })), 'object');
    await assert.rejects(tasks.get('LDPath', 'no such/task'), { code: 'task-not-found' });
    await assert.rejects(tasks.cancel('LDPath', 'none'), { code: 'task-not-found' });
  });

  it('stops at the signal of its caller', async () => {
    const { graphs, ldpath } = connect();
    const reason = new Error('enough');
    await assert.rejects(graphs.list({ signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const uris = Array.from({ length: 10_000 }, (_, i) => `urn:x:${i}`);
    const lines = ldpath.batchOfPath('.', { uris, missing: 'empty', signal: controller.signal });
    await lines.next();
    controller.abort(reason);
    await assert.rejects(async () => {
      for await (const _ of lines);
    }, reason);
  });

  it('sends its header fields, by the fetch that it is given', async () => {
    const sent: (string | null)[] = [];
    const client = new PathpoolClient(url, {
      headers: { Authorization: 'Bearer anna.secret' },
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers).get('Authorization'));
        return fetch(input, init);
      },
    });
    await client.graphs.list();
    assert.deepEqual(sent, ['Bearer anna.secret']);
  });

  it('sends names of prefixes as they are', async () => {
    const queries: string[] = [];
    const record: typeof fetch = (input) => {
      queries.push(new URL(String(input)).search);
      return Promise.resolve(Response.json([]));
    };
    const client = new PathpoolClient(url, { fetch: record });
    await client.ldpath.path('.', 'urn:x:a', { prefixes: { 'a&b=': 'urn:x:' } });
    assert.equal(new URLSearchParams(queries[0]).get('ns_a&b='), 'urn:x:');
  });

  it('reports errors that are not of the server', async (context) => {
    const proxy = await answering(context, 'text/html', 502, '<h1>Bad gateway</h1>');
    await assert.rejects(new PathpoolClient(proxy).graphs.list(), {
      name: 'PathpoolError',
      status: 502,
      code: 'unknown',
      message: '<h1>Bad gateway</h1>',
    });
    const cut = await answering(context, 'application/problem+json', 401, '{"code":"unauth');
    const { graphs, resources } = new PathpoolClient(cut);
    const error = { name: 'PathpoolError', status: 401, code: 'unknown' };
    await assert.rejects(graphs.list(), error);
    await assert.rejects(resources.exists('urn:x:a'), error);
  });
});
