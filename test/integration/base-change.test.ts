import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { type Scope, suiteScope } from '../support/scope.ts';
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

describe('a start with another base than that of the data directory', () => {
  const suite = suiteScope();
  let original = '';

  /** A directory with an LDP resource and a graph whose names begin with the old base. */
  async function oldDirectory(scope: Scope): Promise<string> {
    const data = await temporaryDirectory(scope);
    await cp(original, data, { recursive: true });
    return data;
  }

  before(async () => {
    original = await temporaryDirectory(suite);
    const server = await startServer(suite, ['--data', original, '--threads', '1'], {}, OLD);
    assert.equal(await put(`${server.url}/ldp/x`, '<> <urn:p> <y> .'), 201);
    assert.equal(await put(`${server.url}/context/g`, '<> <urn:p> "1" .'), 201);
    assert.equal(await server.end('SIGTERM'), 0);
  });

  it('fails with both bases in the message, and changes nothing', async (context) => {
    const data = await oldDirectory(context);
    const checked = (await runPathpool(['check', data])).out;
    const { status, out, err } = await runPathpool(['--port', '0', '--data', data, '--base', NEW]);
    assert.deepEqual([status, out], [2, '']);
    assert.ok(
      err.startsWith(`pathpool: The data directory belongs to the base ${OLD}, but this start uses ${NEW}.`),
      err,
    );
    assert.match(err, /--base-change migrate .*--base-change accept/);
    assert.equal((await runPathpool(['check', data])).out, checked);
    const { url } = await startServer(context, ['--data', data, '--threads', '1'], {}, OLD);
    assert.deepEqual([await statusOf(`${url}/ldp/x`), await statusOf(`${url}/context/g`)], [200, 200]);
  });

  it('renames everything before the first request with --base-change migrate, and kill -9 does not undo it', async (context) => {
    const data = await oldDirectory(context);
    const flags = ['--data', data, '--threads', '1'];
    const first = await startServer(context, [...flags, '--base-change', 'migrate'], {}, NEW);
    await first.end('SIGKILL');
    const { url } = await startServer(context, flags, {}, NEW);
    const response = await fetch(`${url}/app/ldp/x`, { headers: { Accept: 'application/n-triples' } });
    assert.equal(response.status, 200);
    assert.ok((await response.text()).includes(`<${NEW}/ldp/x> <urn:p> <${NEW}/ldp/y> .`));
    assert.equal(await statusOf(`${url}/app/context/g`), 200);
    const graphs = ['context/default', 'context/g', 'ldp/x'].map((name) => `${NEW}/${name}`);
    assert.deepEqual(await (await fetch(`${url}/app/context/list`)).json(), graphs);
  });

  it('keeps the old names with --base-change accept', async (context) => {
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
});

describe('the base of a server', () => {
  it('may change with the port until data have names that begin with it', async (context) => {
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

  it('is rejected if it cannot be part of an IRI', async () => {
    const { status, err } = await runPathpool(['--port', '0', '--base', 'http://data.example/a b']);
    assert.equal(status, 2);
    assert.match(err, /--base .*white space/);
  });
});
