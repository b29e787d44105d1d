import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { suiteScope } from '../support/scope.ts';
import { BASE, runPathpool } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PEOPLE = `@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <http://example.org/> .
ex:anna a foaf:Person ; foaf:name "Anna" . ex:sepp a foaf:Person ; foaf:name "Sepp" . ex:cat foaf:name "Cat" .`;
const PERSON = 'http://xmlns.com/foaf/0.1/Person';
const SUMMARY = /\d+ evaluations in [\d.]+ s, [\d,]+\/s, \d+ errors\n$/;

const directory = await temporaryDirectory(suiteScope());

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

const data = await file('people.ttl', PEOPLE);
const program = await file(
  'names.ldpath',
  '@prefix ex : <http://example.org/> ;\nname = foaf:name :: xsd:string ;\n',
);
const uris = await file(
  'uris.txt',
  '# some\nhttp://example.org/sepp\n\nhttp://example.org/nobody\r\nhttp://example.org/anna',
);

/** What each line of results has: the start resource, and its name or the code of an error. */
function namesIn(lines: string): string[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { uri, result, error } = JSON.parse(line);
      return `${uri.slice(19)} ${error ? error.code : result.name[0]?.value}`;
    });
}

describe('pathpool eval', () => {
  it('evaluates for every subject in files, and reports the throughput', async () => {
    const { status, out, err } = await runPathpool(['eval', '--program', program, '--data', data]);
    assert.equal(status, 0, err);
    assert.deepEqual(namesIn(out), ['anna Anna', 'sepp Sepp', 'cat Cat']);
    assert.match(err, /names\.ldpath:1:9: warning: The prefix "ex" is declared but not used\n {2}@prefix/);
    assert.match(err, SUMMARY);
  });

  it('evaluates for the instances of a class, and writes the results to a file', async () => {
    const out = join(directory, 'out.ndjson');
    const more = await file('more.ttl', '<http://example.org/lena> a <http://xmlns.com/foaf/0.1/Person> .');
    const args = ['eval', '--program', program, '--data', data, more, '--type', PERSON, '--out', out];
    const ended = await runPathpool(args);
    assert.deepEqual([ended.status, ended.out], [0, '']);
    assert.deepEqual(namesIn(await readFile(out, 'utf8')), ['anna Anna', 'sepp Sepp', 'lena undefined']);
  });

  it('writes a line for a start resource with an error, and ends with status 1', async () => {
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

  it('shows where a program has an error, and ends with status 2', async () => {
    const bad = await file('bad.ldpath', 'a = foaf:name ;\n\tb = fn:cuont(.) ;\n');
    const { status, out, err } = await runPathpool(['eval', '--program', bad, '--data', data]);
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, /bad\.ldpath:2:9: .*cuont.*\n {2}\tb = fn:cuont\(\.\) ;\n {2}\t {7}\^\n/);
  });

  it('names the file and line of malformed data, and ends with status 2', async () => {
    const bad = await file('bad.ttl', '<urn:a> <urn:b> .\n');
    const { status, err } = await runPathpool(['eval', '--program', program, '--data', bad]);
    assert.equal(status, 2);
    assert.match(err, /bad\.ttl: line 1, column \d+/);
  });

  for (const [what, args] of [
    ['no data', ['--program', program]],
    ['no program', ['--data', data]],
    ['a missing file', ['--program', join(directory, 'none'), '--data', data]],
    ['data and a server', ['--program', program, '--data', data, '--server', 'http://localhost:1']],
    ['URIs and a type', ['--program', program, '--data', data, '--uris', uris, '--type', PERSON]],
    ['a type and a graph', ['--program', program, '--data', data, '--graph', 'urn:g', '--type', PERSON]],
    ['a path without its beginning', ['--program', program, '--data', data, '--start-path', '.']],
    ['a class that is no IRI', ['--program', program, '--data', data, '--type', 'a b']],
    ['a stored program and files', ['--name', 'people', '--data', data]],
    ['a program and a name', ['--program', program, '--name', 'people', '--server', 'http://localhost:1']],
  ] as const) {
    it(`ends with status 2 for ${what}`, async () => {
      const { status, out, err } = await runPathpool(['eval', ...args]);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /^pathpool: /);
    });
  }

  for (const starts of [
    ['--uris', uris],
    ['--type', PERSON],
  ]) {
    it(`ends with status 2 for ${starts[0]} and a server that is not running`, async () => {
      const args = ['eval', '--program', program, '--server', 'http://127.0.0.1:9', ...starts];
      const { status, out, err } = await runPathpool(args);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /^pathpool: .*can't be reached/m);
    });
  }
});

describe('pathpool eval --server', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--load', data]);
  const run = (...args: string[]) =>
    runPathpool(['eval', '--program', program, '--server', server.url, ...args]);

  it('evaluates for the instances of a class', async () => {
    const byType = await run('--type', PERSON);
    assert.equal(byType.status, 0, byType.err);
    assert.deepEqual(namesIn(byType.out), ['anna Anna', 'sepp Sepp']);
  });

  for (const [what, args, expected] of [
    [
      'the subjects of a context',
      ['--graph', `${BASE}/context/default`],
      ['anna Anna', 'sepp Sepp', 'cat Cat'],
    ],
    ['all subjects', ['--subjects'], ['anna Anna', 'sepp Sepp', 'cat Cat']],
    ['all subjects by default', [], ['anna Anna', 'sepp Sepp', 'cat Cat']],
    ['what a path selects', ['--start-path', '^rdf:type', '--from', PERSON], ['anna Anna', 'sepp Sepp']],
  ] as const) {
    it(`evaluates for ${what}`, async () => {
      const ended = await run(...args);
      assert.equal(ended.status, 0, ended.err);
      // The root of the LDP space is a subject, too.
      const found = namesIn(ended.out).filter((line) => !line.startsWith('t/ldp '));
      assert.deepEqual(found, expected);
      assert.match(ended.err, / evaluations .* 0 errors/);
    });
  }

  it('P-96: knows the prefixes that the server has stored', async () => {
    const put = {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain' },
      body: 'http://xmlns.com/foaf/0.1/',
    };
    assert.equal((await fetch(`${server.url}/prefixes/friend`, put)).status, 201);
    const withStored = await file('stored.ldpath', 'name = friend:name :: xsd:string ;');
    const ended = await runPathpool([
      'eval',
      '--program',
      withStored,
      '--server',
      server.url,
      '--type',
      PERSON,
    ]);
    assert.equal(ended.status, 0, ended.err);
    assert.deepEqual(namesIn(ended.out), ['anna Anna', 'sepp Sepp']);
  });

  it('P-43: evaluates a stored program for the set that it declares, without what its filter rejects', async () => {
    const text = '@filter foaf:name is "Anna" ; name = foaf:name :: xsd:string ;';
    const target = `${server.url}/ldpath/programs/names?type=${encodeURIComponent(PERSON)}`;
    const put = await fetch(target, { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: text });
    assert.equal(put.status, 201);
    const ended = await runPathpool(['eval', '--name', 'names', '--server', server.url]);
    assert.equal(ended.status, 0, ended.err);
    assert.deepEqual(namesIn(ended.out), ['anna Anna']);
    assert.match(ended.err, /2 evaluations .* 0 errors/);
  });

  it('rejects an empty list of start resources for a stored program', async () => {
    const none = await file('none.txt', '# none\n');
    const args = ['eval', '--name', 'names', '--server', 'http://localhost:1', '--uris', none];
    const ended = await runPathpool(args);
    assert.deepEqual([ended.status, ended.out], [2, '']);
    assert.match(ended.err, /none\.txt has no start resources/);
  });

  it('evaluates for the URIs in a file', async () => {
    const byFile = await run('--uris', uris);
    assert.equal(byFile.status, 1);
    assert.deepEqual(namesIn(byFile.out), ['sepp Sepp', 'nobody resource-not-found', 'anna Anna']);
    assert.match(byFile.err, /3 evaluations .* 1 errors/);
  });

  it('evaluates for more start resources than one batch may have', async () => {
    const count = 20_001;
    const numbers = Array.from({ length: count }, (_, i) => i);
    const many = await file('many.txt', numbers.map((i) => `http://example.org/${i}`).join('\n'));
    const { status, out } = await run('--uris', many);
    assert.equal(status, 1);
    const lines = out.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => Number(/\/(\d+)"/.exec(line)?.[1])),
      numbers,
    );
  });
});

/** Of the format CSV, with every value in `name`. */
const csvOf = (rows: readonly string[]) => ['uri,name', ...rows, ''].join('\r\n');

describe('pathpool eval --format', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--load', data]);
  const sources = {
    files: () => ['--data', data],
    server: () => ['--server', server.url],
  };
  const run = (source: keyof typeof sources, ...args: string[]) =>
    runPathpool(['eval', '--program', program, ...sources[source](), ...args]);
  const anna = 'http://example.org/anna';
  const sepp = 'http://example.org/sepp';

  for (const source of ['files', 'server'] as const) {
    it(`writes tables from ${source}, for a set`, async () => {
      const csv = await run(source, '--type', PERSON, '--format', 'csv');
      assert.equal(csv.status, 0, csv.err);
      assert.equal(csv.out, csvOf([`${anna},Anna`, `${sepp},Sepp`]));
      assert.match(csv.err, /2 evaluations .* 0 errors/);
      const tsv = await run(source, '--type', PERSON, '--format', 'tsv', '--separator', ';');
      assert.equal(tsv.out, `uri\tname\n${anna}\tAnna\n${sepp}\tSepp\n`);
    });

    it(`writes JSON in other formats from ${source}`, async () => {
      const of = async (format: string) => (await run(source, '--type', PERSON, '--format', format)).out;
      assert.deepEqual(JSON.parse(await of('solr')), [
        { id: anna, name: ['Anna'] },
        { id: sepp, name: ['Sepp'] },
      ]);
      assert.deepEqual(JSON.parse(await of('jsonld'))['@graph'], [
        { '@id': anna, name: ['Anna'] },
        { '@id': sepp, name: ['Sepp'] },
      ]);
      const bulk = (await of('bulk')).split('\n');
      assert.deepEqual(bulk.slice(2), [`{"index":{"_id":"${sepp}"}}`, '{"name":["Sepp"]}', '']);
      const values = (await of('values')).split('\n');
      assert.deepEqual(values, [
        `{"uri":"${anna}","result":{"name":["Anna"]}}`,
        `{"uri":"${sepp}","result":{"name":["Sepp"]}}`,
        '',
      ]);
    });

    it(`leaves out errors, names them, and ends with status 1, from ${source}`, async () => {
      const ended = await run(source, '--uris', uris, '--format', 'csv');
      assert.equal(ended.status, 1);
      assert.equal(ended.out, csvOf([`${sepp},Sepp`, `${anna},Anna`]));
      assert.match(ended.err, /http:\/\/example\.org\/nobody: resource-not-found\n/);
      assert.match(ended.err, /3 evaluations .* 1 errors/);
      const values = await run(source, '--uris', uris, '--format', 'values');
      assert.match(values.out, /"error":.*resource-not-found/);
    });

    it(`writes a frame around nothing, from ${source}`, async () => {
      const none = await file('none.txt', '# none\n');
      const nobody = await file('nobody.txt', 'http://example.org/nobody\n');
      for (const starts of [none, nobody]) {
        assert.deepEqual(JSON.parse((await run(source, '--uris', starts, '--format', 'solr')).out), []);
        assert.equal((await run(source, '--uris', starts, '--format', 'csv')).out, csvOf([]));
      }
    });

    it(`shows where a program has a field that the format needs, from ${source}`, async () => {
      const bad = await file('id.ldpath', 'id = foaf:name ;');
      const args = ['eval', '--program', bad, ...sources[source](), '--format', 'solr'];
      const { status, out, err } = await runPathpool(args);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /id\.ldpath:1:\d+: .*'id'/);
    });
  }

  for (const [format, read] of [
    ['csv', (out: string) => out.split('\r\n').slice(1, -1)],
    ['solr', (out: string) => JSON.parse(out) as unknown[]],
  ] as const) {
    it(`writes one ${format} of several responses`, async () => {
      const count = 20_001;
      // Most of them do not exist; those that do are in the first, second and third request.
      const all = Array.from({ length: count }, (_, i) => `http://example.org/${i}`);
      all[1] = anna;
      all[15_000] = sepp;
      all[20_000] = anna;
      const ended = await run(
        'server',
        '--uris',
        await file(`${format}.txt`, all.join('\n')),
        '--format',
        format,
      );
      assert.equal(ended.status, 1);
      assert.equal(read(ended.out).length, 3);
      assert.match(ended.err, /20,001 evaluations .* 19,998 errors/);
    });
  }

  it('writes the results of a stored program', async () => {
    const target = `${server.url}/ldpath/programs/table?type=${encodeURIComponent(PERSON)}`;
    const headers = { 'Content-Type': 'text/plain' };
    const body = '@filter foaf:name is "Anna" ; name = foaf:name ;';
    assert.equal((await fetch(target, { method: 'PUT', headers, body })).status, 201);
    const ended = await runPathpool(['eval', '--name', 'table', '--server', server.url, '--format', 'csv']);
    assert.equal(ended.status, 0, ended.err);
    assert.equal(ended.out, csvOf([`${anna},Anna`]));
    assert.match(ended.err, /2 evaluations .* 0 errors/);
  });

  for (const [what, args] of [
    ['an unknown format', ['--format', 'parquet']],
    ['a separator of two characters', ['--format', 'csv', '--separator', '||']],
    ['a separator in a format without one', ['--separator', ';']],
  ] as const) {
    it(`ends with status 2 for ${what}`, async () => {
      const { status, out, err } = await run('files', ...args);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, /^pathpool: /);
    });
  }
});
