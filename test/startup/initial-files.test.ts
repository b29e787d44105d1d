import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('a file may be longer than the limit for clients', async (context) => {
  const file = join(await temporaryDirectory(context), 'long.nt');
  const lines = Array.from({ length: 100 }, (_, i) => `<urn:x:s> <urn:x:p> <urn:x:o${i}> .`);
  await writeFile(file, lines.join('\n'));
  const args = ['--memory', '--threads', '1', '--max-rdf-body', '1KiB', '--load', file];
  const { url, readyLine } = await startServer(context, args);
  assert.ok(Number(/(\d+) quads/.exec(readyLine)?.[1]) >= 100, readyLine);
  const headers = { 'Content-Type': 'application/n-triples' };
  const sent = await fetch(`${url}/context?graph=urn:x:g`, {
    method: 'PUT',
    headers,
    body: lines.join('\n'),
  });
  assert.equal(sent.status, 413);
});

test('the log says how far files are loaded', async (context) => {
  const file = join(await temporaryDirectory(context), 'a.nt');
  const line = '<urn:x:s> <urn:x:p> "1" .';
  await writeFile(file, line);
  const server = await startServer(context, ['--memory', '--log-level', 'info', '--load', file]);
  await server.end('SIGTERM');
  const lines = server.errors
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  const bytes = line.length;
  assert.deepEqual(
    lines
      .filter(({ event }) => event === 'loading')
      .map(({ stage, bytes, parsed }) => [stage, bytes, parsed]),
    [
      ['reading', 0, 0],
      ['parsing', bytes, 0],
      ['storing', bytes, bytes],
      ['loaded', bytes, bytes],
    ],
  );
});
