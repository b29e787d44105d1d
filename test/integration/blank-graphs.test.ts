import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NQ = { 'Content-Type': 'application/n-quads' };
const quads = '<urn:s> <urn:p> "1" <urn:x:g> .\n<urn:s> <urn:p> "2" _:g .\n';

test('a graph named by a blank node is refused where graph names count, and nothing is stored', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1']);
  const bodies: [string, string][] = [
    ['application/n-quads', quads],
    // Enough for the pool to work it out.
    [
      'application/n-quads',
      Array.from({ length: 20_000 }, (_, i) => `<urn:s> <urn:p> "${i}" _:g .`).join('\n'),
    ],
    ['application/trig', '<urn:x:g> { <urn:s> <urn:p> "1" } _:g { <urn:s> <urn:p> "2" }'],
    ['application/ld+json', '{"@id": "_:g", "@graph": [{"@id": "urn:s", "urn:p": "2"}]}'],
  ];
  for (const method of ['POST', 'PUT']) {
    for (const [type, body] of bodies) {
      const headers = { 'Content-Type': type, 'If-Match': '*' };
      const response = await fetch(`${url}/dataset`, { method, headers, body });
      const problem = (await response.json()) as { code: string; detail: string };
      assert.deepEqual([response.status, problem.code], [422, 'bad-term'], `${method} ${type}`);
      assert.match(problem.detail, /<urn:s> <urn:p> ".*blank node.*IRI/);
    }
  }
  assert.equal(await (await fetch(`${url}/dataset`)).text(), '');
  for (const path of ['context', 'store']) {
    const response = await fetch(`${url}/${path}?graph=urn:x:${path}`, {
      method: 'PUT',
      headers: NQ,
      body: quads,
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
    const kept = await fetch(`${url}/${path}?graph=urn:x:${path}`, {
      headers: { Accept: 'application/n-triples' },
    });
    assert.equal((await kept.text()).split('\n').filter(Boolean).length, 2);
  }
});

test('a file with such a graph is not loaded at a start, but into one graph it is', async (context) => {
  const file = join(await temporaryDirectory(context), 'a.nq');
  await writeFile(file, quads);
  const { status, err } = await runPathpool(['--memory', '--port', '0', '--load', file]);
  assert.notEqual(status, 0);
  assert.match(err, /a\.nq: .*named by a blank node.*IRI/);
  const { url } = await startServer(context, ['--memory', '--threads', '1', '--load', `${file}=urn:x:g`]);
  const kept = await fetch(`${url}/context?graph=urn:x:g`, { headers: { Accept: 'application/n-triples' } });
  assert.equal(await kept.text(), '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .\n');
});
