import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runPathpool, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const QUADS = '<urn:s> <urn:p> "1" <urn:x:g> .\n<urn:s> <urn:p> "2" _:g .\n';
const TRIPLES = ['<urn:s> <urn:p> "1" .', '<urn:s> <urn:p> "2" .'];

async function triplesOf(target: string): Promise<string[]> {
  const response = await fetch(target, { headers: { Accept: 'application/n-triples' } });
  return (await response.text()).split('\n').filter(Boolean).sort();
}

describe('a graph named by a blank node', () => {
  const server = sharedServer(['--memory', '--threads', '1']);

  const documents: [string, string][] = [
    ['application/n-quads', QUADS],
    // A document that is long enough to become a job of the pool.
    [
      'application/n-quads',
      Array.from({ length: 20_000 }, (_, i) => `<urn:s> <urn:p> "${i}" _:g .`).join('\n'),
    ],
    ['application/trig', '<urn:x:g> { <urn:s> <urn:p> "1" } _:g { <urn:s> <urn:p> "2" }'],
    ['application/ld+json', '{"@id": "_:g", "@graph": [{"@id": "urn:s", "urn:p": "2"}]}'],
  ];

  for (const method of ['POST', 'PUT']) {
    it(`is rejected by ${method} /dataset, which then stores nothing`, async () => {
      const dataset = `${server.url}/dataset`;
      const before = await (await fetch(dataset)).text();
      for (const [type, body] of documents) {
        const headers = { 'Content-Type': type, 'If-Match': '*' };
        const response = await fetch(dataset, { method, headers, body });
        const problem = (await response.json()) as { code: string; detail: string };
        assert.deepEqual([response.status, problem.code], [422, 'bad-term'], type);
        assert.match(problem.detail, /<urn:s> <urn:p> ".*blank node.*IRI/);
      }
      assert.equal(await (await fetch(dataset)).text(), before);
    });
  }

  for (const path of ['context', 'store']) {
    it(`is accepted by PUT /${path}, which ignores the graph names of a document`, async () => {
      const target = `${server.url}/${path}?graph=urn:x:${path}`;
      const headers = { 'Content-Type': 'application/n-quads' };
      const response = await fetch(target, { method: 'PUT', headers, body: QUADS });
      assert.ok(response.ok, `${path}: ${response.status}`);
      assert.deepEqual(await triplesOf(target), TRIPLES);
    });
  }

  it('is rejected by --load of a file, but not if the option names the graph', async (context) => {
    const file = join(await temporaryDirectory(context), 'a.nq');
    await writeFile(file, QUADS);
    const { status, err } = await runPathpool(['--memory', '--port', '0', '--load', file]);
    assert.notEqual(status, 0);
    assert.match(err, /a\.nq: .*named by a blank node.*IRI/);
    const { url } = await startServer(context, ['--memory', '--threads', '1', '--load', `${file}=urn:x:g`]);
    assert.deepEqual(await triplesOf(`${url}/context?graph=urn:x:g`), TRIPLES);
  });
});
