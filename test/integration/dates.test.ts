import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/server-process.ts';

const SECONDS = 3;
const turtle = { 'Content-Type': 'text/turtle' };

test('G-73: Last-Modified is never later than Date, and is good in conditions at once', async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '1']);
  const targets: Record<string, string> = {
    '/context/g': '<urn:x:s> <urn:x:p> ',
    '/meta/text/turtle?uri=urn:x:m': '<urn:x:m> <urn:x:p> ',
    '/content/text/plain?uri=urn:x:c': '',
    '/ldp/r': '<> <urn:x:p> ',
    '/ldp/b': '',
  };
  const write = (target: string, value: number, headers: Record<string, string> = {}) => {
    const start = targets[target]!;
    const [type, body] = start === '' ? [{}, `${value}`] : [turtle, `${start}${value} .`];
    return fetch(url + target, { method: 'PUT', headers: { ...type, ...headers }, body: Buffer.from(body) });
  };
  const read = async (target: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + target, { headers });
    await response.arrayBuffer();
    return response;
  };
  for (const name of ['m', 'c']) await fetch(`${url}/resource?uri=urn:x:${name}`, { method: 'POST' });
  for (const target of Object.keys(targets)) assert.ok((await write(target, 0)).ok, target);

  const dates = new Set<string>();
  for (let i = 1; dates.size <= SECONDS; i++) {
    for (const target of Object.keys(targets)) {
      const found = await read(target);
      const [date, modified] = ['date', 'last-modified'].map((name) => found.headers.get(name) ?? '');
      assert.ok(Date.parse(modified!) <= Date.parse(date!), `${target}: ${modified} in a reply of ${date}`);
      assert.equal((await read(target, { 'If-Modified-Since': modified! })).status, 304);
      const written = await write(target, i, { 'If-Unmodified-Since': modified! });
      assert.ok(written.ok, `${target}: ${written.status} ${await written.text()}`);
      dates.add(date!);
    }
  }
});
