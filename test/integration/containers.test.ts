import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { inContainer, withoutContainers } from '../support/containers.ts';
import { BASE, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const G = `context?graph=${encodeURIComponent('urn:x:g')}`;

async function post({ url }: ServerProcess, value: number): Promise<void> {
  const headers = { 'Content-Type': 'text/turtle' };
  const body = `<urn:x:s> <urn:x:p> ${value} .`;
  assert.ok((await fetch(`${url}/${G}`, { method: 'POST', headers, body })).ok);
}

async function valuesIn({ url }: ServerProcess): Promise<string[]> {
  const text = await (await fetch(`${url}/${G}&format=nt`)).text();
  return [...text.matchAll(/"(\d+)"/g)].map(([, digits]) => digits!).sort();
}

describe('two containers that share a volume', () => {
  it('let one server run, and after its crash the other starts at once under another host name', {
    skip: withoutContainers,
  }, async (context) => {
    const data = await temporaryDirectory(context);
    const start = (hostName: string) =>
      startServer(context, ['--data', data, '--threads', '1'], {}, BASE, inContainer(hostName));
    const first = await start('pathpool');
    await post(first, 1);
    // The same host name, and in its container the same process number.
    await assert.rejects(start('pathpool'), /ended with 2: .*in use by process 1 on pathpool/);
    await post(first, 2);

    const closed = once(first.process, 'close');
    await first.end('SIGKILL');
    await closed;
    const second = await start('pathpool-after-the-crash');
    assert.deepEqual(await valuesIn(second), ['1', '2']);
    await post(second, 3);
    assert.deepEqual(await valuesIn(second), ['1', '2', '3']);
  });
});
