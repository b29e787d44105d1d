import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { suiteScope } from '../support/scope.ts';
import { runPathpool } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PEOPLE = 'https://c.example/people';
const directory = await temporaryDirectory(suiteScope());

async function file(name: string, content: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const context = await file('people-context.json', { '@context': { name: 'http://xmlns.com/foaf/0.1/name' } });
const given = ['--context', `${PEOPLE}=${context}`];
const anna = { '@context': PEOPLE, '@id': 'http://example.org/anna', name: 'Anna' };
const document = await file('anna.jsonld', anna);
const program = await file('names.ldpath', 'name = foaf:name :: xsd:string ;\n');
const TRIPLE = '<http://example.org/anna> <http://xmlns.com/foaf/0.1/name> "Anna"';

describe('a context of --context (G-45)', () => {
  const server = sharedServer(['--memory', '--threads', '2', ...given, '--load', document]);

  const put = (path: string, body: unknown, type = 'application/ld+json') =>
    fetch(server.url + path, {
      method: 'PUT',
      headers: { 'Content-Type': type },
      body: JSON.stringify(body),
    });
  const text = async (path: string, type = 'application/n-triples') =>
    (await fetch(server.url + path, { headers: { Accept: type } })).text();

  it('may be named in a body', async () => {
    assert.equal((await put('/context?graph=urn:x:body', anna)).status, 201);
    assert.equal(await text('/context?graph=urn:x:body'), `${TRIPLE} .\n`);
  });

  it('may be named in a resource below /ldp', async () => {
    const status = (await put('/ldp/anna', anna, 'application/json')).status;
    assert.deepEqual([status, (await text('/ldp/anna')).includes(TRIPLE)], [201, true]);
  });

  it('may be named in a file of --load', async () => {
    assert.equal(await text('/context?default'), `${TRIPLE} .\n`);
  });

  it('is the only one: others are rejected with their place, and nothing is stored', async () => {
    const response = await put('/context?graph=urn:x:other', {
      ...anna,
      '@context': [PEOPLE, 'https://c.example/x'],
    });
    const { code, line, column, detail } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([response.status, code, line, column], [400, 'remote-context', 1, 41]);
    assert.match(String(detail), /https:\/\/c\.example\/x.*--context URL=FILE/);
    assert.equal((await fetch(`${server.url}/context?graph=urn:x:other`)).status, 404);
  });
});

describe('--context of a command', () => {
  it('applies to the files of pathpool load', async () => {
    const data = join(directory, 'data');
    const { status, err } = await runPathpool(['load', data, document, ...given]);
    assert.equal(status, 0, err);
    const { out } = await runPathpool(['export', data]);
    assert.ok(out.includes(TRIPLE), out);
  });

  it('applies to the files of pathpool eval', async () => {
    const { status, out, err } = await runPathpool([
      'eval',
      '--program',
      program,
      '--data',
      document,
      ...given,
    ]);
    assert.equal(status, 0, err);
    assert.match(out, /"Anna"/);
  });

  it('is rejected with the name of a file that is no context', async () => {
    const bad = await file('bad.json', '[]');
    const args = ['--memory', '--port', '0', '--context', `${PEOPLE}=${bad}`];
    const { status, err } = await runPathpool(args);
    assert.equal(status, 2);
    assert.equal(
      err,
      `pathpool: --context ${PEOPLE}=${bad}: the file is no JSON object with the key "@context".\n`,
    );
  });
});
