import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../support/project.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { dump } from './release-data.ts';

const place = projectFile('test/fixtures/releases');
/** The history of a fixture is as old as its release. */
const keepHistory = ['--changes-retention', '1GiB,36500d'];

for (const release of readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  test(`a data directory of ${release.name} has all of its data, and can be written to`, async (t) => {
    const directory = join(await temporaryDirectory(t), 'data');
    await cp(join(place, release.name, 'data'), directory, { recursive: true });
    const checked = await runPathpool(['check', directory]);
    assert.match(checked.out, /all is well/);
    assert.equal(checked.status, 0);
    const server = await startServer(t, ['--data', directory, '--threads', '2', ...keepHistory]);
    const expected = await readFile(join(place, release.name, 'expected.txt'), 'utf8');
    assert.equal(await dump(server.url), expected);
    const graph = `${server.url}/context?graph=urn:x:new`;
    const body = '<urn:x:a> <urn:x:p> "later" .';
    const written = await fetch(graph, { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body });
    assert.equal(written.status, 201);
    assert.equal(await server.end('SIGTERM'), 0);
    const exported = await runPathpool(['export', directory, '--graph', 'urn:x:new']);
    assert.equal(exported.out, '<urn:x:a> <urn:x:p> "later" <urn:x:new> .\n');
  });
}
