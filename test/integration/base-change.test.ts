import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const OLD = 'http://old.example:8080';
const NEW = 'https://new.example/app';
const headers = { 'Content-Type': 'text/turtle' };

async function put(url: string, body: string): Promise<number> {
  return (await fetch(url, { method: 'PUT', headers, body })).status;
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

/** A directory with a resource of the LDP space and a graph that have names of the old base. */
async function oldDirectory(context: Parameters<typeof startServer>[0]): Promise<string> {
  const data = await temporaryDirectory(context);
  const server = await startServer(context, ['--data', data, '--threads', '1'], {}, OLD);
  assert.equal(await put(`${server.url}/ldp/x`, '<> <urn:p> <y> .'), 201);
  assert.equal(await put(`${server.url}/context/g`, '<> <urn:p> "1" .'), 201);
  assert.equal(await server.end('SIGTERM'), 0);
  return data;
}

test('a start with another base is refused with both named, and changes nothing', async (context) => {
  const data = await oldDirectory(context);
  const before = (await runPathpool(['check', data])).out;
  const { status, out, err } = await runPathpool(['--port', '0', '--data', data, '--base', NEW]);
  assert.deepEqual([status, out], [2, '']);
  assert.ok(
    err.startsWith(`pathpool: The data directory belongs to the base ${OLD}, but this start uses ${NEW}.`),
    err,
  );
  assert.match(err, /--base-change migrate .*--base-change accept/);
  assert.equal((await runPathpool(['check', data])).out, before);
  const { url } = await startServer(context, ['--data', data, '--threads', '1'], {}, OLD);
  assert.deepEqual([await statusOf(`${url}/ldp/x`), await statusOf(`${url}/context/g`)], [200, 200]);
});

test('--base-change migrate renames before anything is served, and kill -9 does not undo it', async (context) => {
  const data = await oldDirectory(context);
  const flags = ['--data', data, '--threads', '1'];
  const first = await startServer(context, [...flags, '--base-change', 'migrate'], {}, NEW);
  await first.end('SIGKILL');
  const { url } = await startServer(context, flags, {}, NEW);
  const reply = await fetch(`${url}/app/ldp/x`, { headers: { Accept: 'application/n-triples' } });
  assert.equal(reply.status, 200);
  assert.ok((await reply.text()).includes(`<${NEW}/ldp/x> <urn:p> <${NEW}/ldp/y> .`));
  assert.equal(await statusOf(`${url}/app/context/g`), 200);
  const graphs = ['context/default', 'context/g', 'ldp/x'].map((name) => `${NEW}/${name}`);
  assert.deepEqual(await (await fetch(`${url}/app/context/list`)).json(), graphs);
});

test('--base-change accept leaves old names as they are', async (context) => {
  const data = await oldDirectory(context);
  const flags = ['--data', data, '--threads', '1'];
  const first = await startServer(context, [...flags, '--base-change', 'accept'], {}, NEW);
  assert.equal(await statusOf(`${first.url}/app/ldp/x`), 404);
  assert.equal(await statusOf(`${first.url}/app/context?graph=${OLD}/context/g`), 200);
  assert.equal(await put(`${first.url}/app/ldp/x`, '<> <urn:p> "new" .'), 201);
  await first.end('SIGTERM');
  const { url } = await startServer(context, flags, {}, NEW);
  assert.equal(await statusOf(`${url}/app/ldp/x`), 200);
});

test('another port is another base only for what has names of the first', async (context) => {
  const data = await temporaryDirectory(context);
  const start = () => startServer(context, ['--data', data, '--threads', '1'], {}, null);
  const first = await start();
  assert.equal(await put(`${first.url}/context?graph=urn:x:g`, '<urn:s> <urn:p> "1" .'), 201);
  await first.end('SIGTERM');
  const second = await start();
  assert.equal(await statusOf(`${second.url}/context?graph=urn:x:g`), 200);
  assert.equal(await put(`${second.url}/ldp/x`, '<> <urn:p> "1" .'), 201);
  await second.end('SIGTERM');
  const base = new URL(second.url);
  const refused = await runPathpool(['--port', '0', '--data', data]);
  assert.equal(refused.status, 2);
  assert.match(refused.err, new RegExp(`base http://localhost:${base.port}, `));
});

test('a base that could not stand in an IRI is refused before it is in all names', async () => {
  const { status, err } = await runPathpool(['--port', '0', '--base', 'http://data.example/a b']);
  assert.equal(status, 2);
  assert.match(err, /--base .*white space/);
});
