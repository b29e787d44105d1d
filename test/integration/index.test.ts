/** `pathpool index` and a real server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { checkKilledIndex } from '../indexing/killed-index.ts';
import { runPathpool, spawnPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('an index equals a new one after kills of server and indexer', async (context) => {
  await checkKilledIndex(context, { seed: Math.floor(Math.random() * 2 ** 31), commits: 200, kills: 3 });
});

test('files have the documents of a stored program, and follow it', async (context) => {
  const { url } = await startServer(context, ['--memory']);
  const directory = await temporaryDirectory(context);
  const put = (path: string, type: string, body: string) =>
    fetch(url + path, { method: 'PUT', headers: { 'Content-Type': type }, body });
  await put(
    '/context?graph=urn:x:g',
    'text/turtle',
    '<urn:x:a> <urn:x:title> "A" . <urn:x:b> <urn:x:title> "B" .',
  );
  const program = '/ldpath/programs/p?graph=urn:x:g';
  await put(program, 'text/plain', 'title = <urn:x:title> :: xsd:string ;');
  const args = ['index', '--server', url, '--name', 'p', '--to', `file:${directory}`, '--once'];
  const first = await runPathpool(args);
  assert.deepEqual([first.status, first.out], [0, '']);
  assert.match(first.err, /2 documents written to /);
  assert.deepEqual(await documentsIn(directory), { 'urn:x:a': ['A'], 'urn:x:b': ['B'] });
  await put('/context?graph=urn:x:g', 'text/turtle', '<urn:x:a> <urn:x:title> "new" .');
  assert.equal((await runPathpool(args)).status, 0);
  assert.deepEqual(await documentsIn(directory), { 'urn:x:a': ['new'] });
  await put(program, 'text/plain', 'title = <urn:x:title> :: xsd:string ; x = <urn:x:y> ;');
  const third = await runPathpool(args);
  assert.match(third.err, /Rebuilding the index/);
  assert.deepEqual(await documentsIn(directory), { 'urn:x:a': ['new'] });
});

test('SIGTERM ends a command that follows the changes, with status 0', async (context) => {
  const { url } = await startServer(context, ['--memory']);
  const directory = await temporaryDirectory(context);
  await fetch(`${url}/ldpath/programs/p`, { method: 'PUT', body: 'title = <urn:x:title> ;' });
  const child = spawnPathpool(context, [
    'index',
    '--server',
    url,
    '--name',
    'p',
    '--to',
    `file:${directory}`,
  ]);
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr! })) {
    if (line.includes('following the changes')) break;
  }
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

test('a program that does not exist, and arguments that are wrong, are errors of one line', async (context) => {
  const { url } = await startServer(context, ['--memory']);
  const directory = await temporaryDirectory(context);
  const args = ['index', '--server', url, '--name', 'none', '--to', `file:${directory}`];
  const missing = await runPathpool(args);
  assert.equal(missing.status, 2);
  assert.match(missing.err, /^pathpool: .*none.*\n$/);
  const secret = await runPathpool([
    'index',
    '--server',
    'http://u:secret@h',
    '--name',
    'p',
    '--to',
    'file:x',
  ]);
  assert.deepEqual([secret.status, secret.err.includes('secret')], [2, false]);
  const target = await runPathpool(['index', '--server', url, '--name', 'p', '--to', 'ftp:x']);
  assert.deepEqual([target.status, target.err.includes('solr:URL')], [2, true]);
});

async function documentsIn(directory: string): Promise<Record<string, unknown>> {
  const names = await readdir(directory, { recursive: true });
  const files = names.filter((name) => /^run-.*\.json$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
  const documents = texts.map((text) => JSON.parse(text) as { id: string; title: unknown });
  return Object.fromEntries(documents.map(({ id, title }) => [id, title]));
}
