import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const G = `context?graph=${encodeURIComponent('urn:x:g')}`;

async function put({ url }: ServerProcess, turtle: string) {
  const headers = { 'Content-Type': 'text/turtle' };
  const response = await fetch(`${url}/${G}`, { method: 'PUT', headers, body: turtle });
  const text = await response.text();
  const problem = text === '' ? {} : (JSON.parse(text) as { code?: string; detail?: string });
  return { status: response.status, ...problem };
}

async function read({ url }: ServerProcess): Promise<string> {
  return (await fetch(`${url}/${G}&format=nt`)).text();
}

describe('a server that cannot store data', () => {
  it('G-130: rejects a write that needs more memory than it has with 507, and serves reads and removals', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    assert.equal((await put(first, '<urn:x:s> <urn:x:p> 1, 2 .')).status, 201);
    assert.equal(await first.end('SIGTERM'), 0);

    const full = await startServer(context, ['--data', data, '--threads', '1', '--data-max', '1KiB']);
    const refused = await put(full, '<urn:x:s> <urn:x:p> 1, 3 .');
    assert.deepEqual([refused.status, refused.code], [507, 'store-full']);
    assert.match(refused.detail ?? '', /use \d.* of memory.* --data-max/);
    assert.match(await read(full), /"2"/);
    assert.equal((await put(full, '<urn:x:s> <urn:x:p> 1 .')).status, 204);
    assert.doesNotMatch(await read(full), /"2"/);
    assert.equal((await fetch(`${full.url}/${G}`, { method: 'DELETE' })).status, 200);
    assert.equal(await full.end('SIGTERM'), 0);
  });

  it('G-131: rejects writes with 503 and the reason after a failure of the journal, until a restart', async (context) => {
    const parent = await temporaryDirectory(context);
    const [data, away] = [join(parent, 'data'), join(parent, 'away')];
    const args = ['--data', data, '--threads', '1', '--journal-max', '4KiB'];
    const first = await startServer(context, args);
    await rename(data, away);
    const long = 'long '.repeat(1_200);
    assert.equal((await put(first, `<urn:x:s> <urn:x:p> "${long}" .`)).status, 201);
    let refused = await put(first, '<urn:x:s> <urn:x:p> 2 .');
    while (refused.status === 204) refused = await put(first, '<urn:x:s> <urn:x:p> 2 .');
    assert.deepEqual([refused.status, refused.code], [503, 'writes-disabled']);
    assert.match(refused.detail ?? '', /a write to the journal failed/);
    const content = await read(first);
    assert.notEqual(content, '');
    await first.kill();

    await rename(away, data);
    const second = await startServer(context, args);
    assert.equal(await read(second), content);
    assert.equal((await put(second, '<urn:x:s> <urn:x:p> 3 .')).status, 204);
  });
});
