import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

const SECONDS = 3;
const turtle = { 'Content-Type': 'text/turtle' };

/** Resources with a date, and the beginning of the Turtle to store in each; '' for content. */
const targets: Record<string, string> = {
  '/context/g': '<urn:x:s> <urn:x:p> ',
  '/meta/text/turtle?uri=urn:x:m': '<urn:x:m> <urn:x:p> ',
  '/content/text/plain?uri=urn:x:c': '',
  '/ldp/r': '<> <urn:x:p> ',
  '/ldp/b': '',
};

describe('dates of modification', () => {
  const server = sharedServer(['--memory', '--threads', '1']);
  const write = (target: string, value: number, headers: Record<string, string> = {}) => {
    const start = targets[target]!;
    const [type, body] = start === '' ? [{}, `${value}`] : [turtle, `${start}${value} .`];
    const init = { method: 'PUT', headers: { ...type, ...headers }, body: Buffer.from(body) };
    return fetch(server.url + target, init);
  };
  const read = async (target: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + target, { headers });
    await response.arrayBuffer();
    return response;
  };

  it('G-73: Last-Modified is never later than Date, and works in preconditions at once', async () => {
    for (const name of ['m', 'c'])
      await fetch(`${server.url}/resource?uri=urn:x:${name}`, { method: 'POST' });
    for (const target of Object.keys(targets)) assert.ok((await write(target, 0)).ok, target);

    const dates = new Set<string>();
    for (let i = 1; dates.size <= SECONDS; i++) {
      for (const target of Object.keys(targets)) {
        const found = await read(target);
        const [date, modified] = ['date', 'last-modified'].map((name) => found.headers.get(name) ?? '');
        assert.ok(
          Date.parse(modified!) <= Date.parse(date!),
          `${target}: ${modified} in a response of ${date}`,
        );
        assert.equal((await read(target, { 'If-Modified-Since': modified! })).status, 304);
        const written = await write(target, i, { 'If-Unmodified-Since': modified! });
        assert.ok(written.ok, `${target}: ${written.status} ${await written.text()}`);
        dates.add(date!);
      }
    }
  });
});
