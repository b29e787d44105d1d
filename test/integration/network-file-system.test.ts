import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile } from '../support/project.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const G = `context?graph=${encodeURIComponent('urn:x:g')}`;
const preload = projectFile('test/support/network-file-system.cjs');
const environment = { NODE_OPTIONS: `--require=${preload}` };

async function post({ url }: ServerProcess, value: number) {
  const headers = { 'Content-Type': 'text/turtle' };
  const body = `<urn:x:s> <urn:x:p> ${value} .`;
  const response = await fetch(`${url}/${G}`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

async function valuesIn({ url }: ServerProcess): Promise<string[]> {
  const text = await (await fetch(`${url}/${G}&format=nt`)).text();
  return [...text.matchAll(/"(\d+)"/g)].map(([, digits]) => digits!).sort();
}

describe('a server on a network file system', () => {
  it('loses its lease while it is suspended, and then rejects writes with the reason', async (context) => {
    const data = await temporaryDirectory(context);
    const start = () => startServer(context, ['--data', data, '--threads', '1'], environment);
    const first = await start();
    assert.equal((await post(first, 1)).status, 201);
    const record = JSON.parse(await readFile(join(data, 'lock.1'), 'utf8')) as { leaseMs?: number };
    assert.equal(record.leaseMs, 15_000);
    await assert.rejects(start(), new RegExp(`in use by process ${first.process.pid} `));

    first.process.kill('SIGSTOP');
    const second = await start();
    assert.deepEqual(await valuesIn(second), ['1']);
    assert.equal((await post(second, 2)).status, 200);
    first.process.kill('SIGCONT');
    const rejected = await post(first, 3);
    assert.equal(rejected.status, 503);
    assert.match(rejected.text, /another process has taken over the data directory.*"writes-disabled"/s);
    // It also rejects a write that would change nothing in its own view of the data.
    assert.equal((await post(first, 1)).status, 503);
    const headers = { 'Content-Type': 'text/plain' };
    const content = `${first.url}/content/text/plain?uri=urn:x:c`;
    assert.equal((await fetch(content, { method: 'PUT', headers, body: 'text' })).status, 503);
    assert.deepEqual(await valuesIn(first), ['1']);
    assert.equal(await first.end('SIGTERM'), 0);

    assert.equal((await post(second, 4)).status, 200);
    assert.equal(await second.end('SIGTERM'), 0);
    const third = await start();
    assert.deepEqual(await valuesIn(third), ['1', '2', '4']);
  });
});
