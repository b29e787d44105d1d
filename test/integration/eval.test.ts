import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PEOPLE = `@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <http://example.org/> .
ex:anna a foaf:Person ; foaf:name "Anna" . ex:sepp a foaf:Person ; foaf:name "Sepp" . ex:cat foaf:name "Cat" .`;
const PERSON = 'http://xmlns.com/foaf/0.1/Person';
const SUMMARY = /\d+ evaluations in [\d.]+ s, [\d,]+\/s, \d+ errors\n$/;

test('pathpool eval', async (context) => {
  const directory = await temporaryDirectory(context);
  const file = async (name: string, content: string) => {
    await writeFile(join(directory, name), content);
    return join(directory, name);
  };
  const data = await file('people.ttl', PEOPLE);
  const program = await file(
    'names.ldpath',
    '@prefix ex : <http://example.org/> ;\nname = foaf:name :: xsd:string ;\n',
  );
  const uris = await file(
    'uris.txt',
    '# some\nhttp://example.org/sepp\n\nhttp://example.org/nobody\r\nhttp://example.org/anna',
  );
  const namesIn = (lines: string) =>
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { uri, result, error } = JSON.parse(line);
        return `${uri.slice(19)} ${error ? error.code : result.name[0]?.value}`;
      });

  await context.test('evaluates for every subject of files, and says how fast', async () => {
    const { status, out, err } = await runPathpool(['eval', '--program', program, '--data', data]);
    assert.equal(status, 0, err);
    assert.deepEqual(namesIn(out), ['anna Anna', 'sepp Sepp', 'cat Cat']);
    assert.match(err, /names\.ldpath:1:1: warning: The prefix "ex" is declared but not used\n {2}@prefix/);
    assert.match(err, SUMMARY);
  });

  await context.test('evaluates for the instances of a class, into a file', async () => {
    const out = join(directory, 'out.ndjson');
    const more = await file('more.ttl', '<http://example.org/lena> a <http://xmlns.com/foaf/0.1/Person> .');
    const args = ['eval', '--program', program, '--data', data, more, '--type', PERSON, '--out', out];
    const ended = await runPathpool(args);
    assert.deepEqual([ended.status, ended.out], [0, '']);
    assert.deepEqual(namesIn(await readFile(out, 'utf8')), ['anna Anna', 'sepp Sepp', 'lena undefined']);
  });

  await context.test('an error of one start is a line of its own, and status 1', async () => {
    const { status, out, err } = await runPathpool([
      'eval',
      '--program',
      program,
      '--data',
      data,
      '--uris',
      uris,
    ]);
    assert.equal(status, 1);
    assert.deepEqual(namesIn(out), ['sepp Sepp', 'nobody resource-not-found', 'anna Anna']);
    assert.match(err, /3 evaluations .* 1 errors/);
  });

  await context.test('a program that does not parse is shown with its place, and status 2', async () => {
    const bad = await file('bad.ldpath', 'a = foaf:name ;\n\tb = fn:cuont(.) ;\n');
    const { status, out, err } = await runPathpool(['eval', '--program', bad, '--data', data]);
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, /bad\.ldpath:2:9: .*cuont.*\n {2}\tb = fn:cuont\(\.\) ;\n {2}\t {7}\^\n/);
  });

  await context.test('data that do not parse are named with their place, and status 2', async () => {
    const bad = await file('bad.ttl', '<urn:a> <urn:b> .\n');
    const { status, err } = await runPathpool(['eval', '--program', program, '--data', bad]);
    assert.equal(status, 2);
    assert.match(err, /bad\.ttl: line 1, column \d+/);
  });

  for (const [what, args] of [
    ['no data', ['--program', program]],
    ['no program', ['--data', data]],
    ['a file that is not there', ['--program', join(directory, 'none'), '--data', data]],
    ['data and a server', ['--program', program, '--data', data, '--server', 'http://localhost:1']],
    ['URIs and a type', ['--program', program, '--data', data, '--uris', uris, '--type', PERSON]],
    ['a server and no starts', ['--program', program, '--server', 'http://localhost:1']],
  ] as const) {
    await context.test(`${what} is status 2`, async () => {
      const { status, out, err } = await runPathpool(['eval', ...args]);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /^pathpool: /);
    });
  }

  await context.test('uses a running server', async (inner) => {
    const { url } = await startServer(inner, ['--memory', '--threads', '2', '--load', data]);
    const run = (...args: string[]) => runPathpool(['eval', '--program', program, '--server', url, ...args]);
    const byType = await run('--type', PERSON);
    assert.equal(byType.status, 0, byType.err);
    assert.deepEqual(namesIn(byType.out), ['anna Anna', 'sepp Sepp']);
    const byFile = await run('--uris', uris);
    assert.equal(byFile.status, 1);
    assert.deepEqual(namesIn(byFile.out), ['sepp Sepp', 'nobody resource-not-found', 'anna Anna']);
    assert.match(byFile.err, /3 evaluations .* 1 errors/);
  });

  await context.test('asks a server for more starts than it takes at once', async (inner) => {
    const count = 20_001;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const many = await file('many.txt', numbers.map((i) => `http://example.org/${i}`).join('\n'));
    const { url } = await startServer(inner, ['--memory', '--threads', '2']);
    const { status, out } = await runPathpool([
      'eval',
      '--program',
      program,
      '--server',
      url,
      '--uris',
      many,
    ]);
    assert.equal(status, 1);
    const lines = out.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => Number(/\/(\d+)"/.exec(line)?.[1])),
      numbers,
    );
  });

  for (const starts of [
    ['--uris', uris],
    ['--type', PERSON],
  ]) {
    await context.test(`a server that is not there is status 2, with ${starts[0]}`, async () => {
      const args = ['eval', '--program', program, '--server', 'http://127.0.0.1:9', ...starts];
      const { status, out, err } = await runPathpool(args);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /^pathpool: .*can't be reached/m);
    });
  }
});
