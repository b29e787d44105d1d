import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { lockDirectory } from '../../src/journal/lock/lock.ts';
import { type LoadOptions, load } from '../../src/load/load.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { commit, contentOf, maintain, merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A data directory that does not exist yet, and files beside it. */
async function place(context: TestContext, files: Readonly<Record<string, string | Buffer>>) {
  const root = await temporaryDirectory(context);
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  const directory = join(root, 'data');
  const options: LoadOptions = {
    directory,
    files: Object.keys(files).map((name) => join(root, name)),
    graph: 'urn:x:g',
    showsProgress: false,
    notice: (message) => assert.fail(message),
    signal: new AbortController().signal,
  };
  return { root, directory, options };
}

async function storeIn(directory: string) {
  return openOn(await openNodeDisk(directory));
}

/** Checks a closed directory, and returns its quads as lines. */
async function linesIn(directory: string): Promise<string[]> {
  const { lines, damaged } = await check(directory);
  assert.equal(damaged, false, lines.join('\n'));
  const store = await storeIn(directory);
  const content = contentOf(store);
  await store.close();
  return content;
}

test('files of all kinds are loaded into a new directory, which accepts further loads', async (context) => {
  const { directory, options } = await place(context, {
    'a.nt': '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "1" .\n# nothing\n\n<urn:s> <urn:p> "\\u00e9" .',
    'b.nq': '<urn:s> <urn:p> "2" <urn:x:h> .\n<urn:s> <urn:p> "2" .\n',
    'c.ttl': '<urn:s> <urn:p> [ <urn:q> 3 ] .',
    'd.trig.gz': gzipSync('<urn:x:h> { <urn:s> <urn:p> "4" }'),
    'e.jsonld': '{"@id": "urn:s", "urn:p": "5"}',
    'f.nt.gz': gzipSync('<urn:s> <urn:p> "6" .\n'),
    'empty.nt': '',
  });
  assert.match(await load(options), /^10 statements read in .*; 9 were new$/);
  const lines = await linesIn(directory);
  const [blank] = lines.join('\n').match(/_:\w+/) ?? [];
  assert.deepEqual(
    lines,
    [
      '<urn:s> <urn:p> "1" <urn:x:g> .',
      '<urn:s> <urn:p> "é" <urn:x:g> .',
      '<urn:s> <urn:p> "2" <urn:x:h> .',
      '<urn:s> <urn:p> "2" <urn:x:g> .',
      `<urn:s> <urn:p> ${blank} <urn:x:g> .`,
      `${blank} <urn:q> "3"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:x:g> .`,
      '<urn:s> <urn:p> "4" <urn:x:h> .',
      '<urn:s> <urn:p> "5" <urn:x:g> .',
      '<urn:s> <urn:p> "6" <urn:x:g> .',
    ].sort(),
  );
  const store = await storeIn(directory);
  const rows = store.opened().graphs.map(([name, info]) => [name, info?.size, info?.sequence, info?.since]);
  assert.deepEqual(rows.sort(), [
    ['urn:x:g', 7, 1, 1],
    ['urn:x:h', 2, 1, 1],
  ]);
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "7" .'));
  await store.close();
  assert.equal((await linesIn(directory)).length, 10);
});

test('a label is one node in all parts of a file, and another node in another file', async (context) => {
  const rows = Array.from(
    { length: 90_000 },
    (_, i) => `_:same <urn:p> "value number ${i} of many, many values" .`,
  );
  const { directory, options } = await place(context, {
    'long.nt': rows.join('\n'),
    'short.nt': '_:same <urn:p> "short" .',
  });
  await load(options);
  const subjects = new Map<string, number>();
  for (const line of await linesIn(directory)) {
    const subject = line.slice(0, line.indexOf(' '));
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  assert.deepEqual([...subjects.values()].sort(), [1, 90_000]);
});

test('loading keeps the existing data, and changes the entity tags of graphs with new triples', async (context) => {
  const { directory, options } = await place(context, {
    'more.nq': '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "3" .\n<urn:s> <urn:p> "0" <urn:x:same> .\n',
  });
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .\n_:b <urn:p> "1" .'));
  assert.equal(await maintain(store, disk), 'checkpoint');
  await commit(
    store,
    merge('urn:x:same', '<urn:s> <urn:p> "0" .'),
    merge('urn:x:g', '<urn:s> <urn:p> "2" .'),
  );
  const before = contentOf(store);
  const { identity, graphs } = store.opened();
  await store.close();
  await load(options);
  assert.deepEqual(await linesIn(directory), [...before, '<urn:s> <urn:p> "3" <urn:x:g> .'].sort());
  const again = await storeIn(directory);
  const opened = again.opened();
  await again.close();
  assert.deepEqual(opened.identity, identity);
  const row = (name: string) => new Map(opened.graphs).get(name);
  assert.deepEqual(row('urn:x:same'), new Map(graphs).get('urn:x:same'));
  assert.deepEqual([row('urn:x:g')?.size, row('urn:x:g')?.sequence, row('urn:x:g')?.since], [4, 3, 1]);
});

test('a second run skips loaded files, unless the file or the store has changed', async (context) => {
  const { root, directory, options } = await place(context, {
    'a.nt': '_:b <urn:p> "a" .',
    'b.nt': '<urn:s> <urn:p> "b" .',
  });
  await load(options);
  assert.match(await load(options), /^0 statements .*\(2 of 2 files had been loaded before\)$/);
  assert.equal((await linesIn(directory)).length, 2);
  await utimes(join(root, 'b.nt'), 1, 1);
  assert.match(await load(options), /^1 statements .*; 0 were new \(1 of 2 /);
  const store = await storeIn(directory);
  await commit(store, merge('urn:x:other', '<urn:s> <urn:p> "c" .'));
  await store.close();
  assert.match(await load(options), /^2 statements .*; 1 were new$/);
});

test('an error names its file and line; earlier files are kept, and the same command continues', async (context) => {
  const row = (i: number) => `<urn:s> <urn:p> "value number ${i} of many, many values of this file" .`;
  const rows = Array.from({ length: 80_000 }, (_, i) => row(i));
  rows[79_998] = '<urn:s> <urn:p> oops .';
  const { root, directory, options } = await place(context, {
    'a.nt': '<urn:s> <urn:p> "a" .',
    'long.nt': rows.join('\n'),
    'z.nt': '<urn:s> <urn:p> "z" .',
  });
  await assert.rejects(load(options), { code: 'parse-error', message: /long\.nt: line 79999, column 17: / });
  assert.deepEqual(await linesIn(directory), ['<urn:s> <urn:p> "a" <urn:x:g> .']);
  rows[79_998] = row(79_998);
  await writeFile(join(root, 'long.nt'), rows.join('\n'));
  assert.match(await load(options), /; 80,001 were new \(1 of 3 /);
  assert.equal((await linesIn(directory)).length, 80_002);
});

test('an unreadable file does not affect the files before it', async (context) => {
  const { root, directory, options } = await place(context, {
    'a.nt': '<urn:s> <urn:p> "a" .',
    'b.nt.gz': 'no gzip',
  });
  await assert.rejects(load(options), { code: 'parse-error', message: /b\.nt\.gz is not valid gzip/ });
  assert.deepEqual(await linesIn(directory), ['<urn:s> <urn:p> "a" <urn:x:g> .']);
  await mkdir(join(root, 'c.nt'));
  const files = [join(root, 'z.nt'), join(root, 'c.nt')];
  await writeFile(files[0]!, '<urn:s> <urn:p> "z" .');
  await assert.rejects(load({ ...options, files }), { code: 'EISDIR' });
  assert.equal((await linesIn(directory)).length, 2);
  await writeFile(join(root, 'bad.nt'), 'oops');
  const both = ['bad.nt', 'b.nt.gz'].map((name) => join(root, name));
  // The first error is reported.
  await assert.rejects(load({ ...options, files: both }), {
    code: 'parse-error',
    message: /bad\.nt: line 1/,
  });
});

test('lines longer than a part are loaded and counted, with and without gzip', async (context) => {
  const long = 'long '.repeat(2_000_000);
  const rows = [
    '<urn:s> <urn:p> "1" .\r',
    '# nothing\r',
    `<urn:s> <urn:p> "${long}" .`,
    '<urn:s> <urn:p> "2" .',
  ];
  const { root, directory, options } = await place(context, { 'a.nt.gz': gzipSync(rows.join('\n')) });
  await load(options);
  assert.equal((await linesIn(directory)).length, 3);
  const faulty = join(root, 'b.nt');
  await writeFile(faulty, [...rows, `${' '.repeat(5_000_000)}oops`].join('\n'));
  await assert.rejects(load({ ...options, files: [faulty] }), {
    message: /b\.nt: line 5, column 5000001: /,
  });
});

test('an interruption keeps complete files, and the same command continues', async (context) => {
  const { directory, options } = await place(context, {
    'a.nt': '<urn:s> <urn:p> "a" .',
    'b.nt': '<urn:s> <urn:p> "b" .',
  });
  const interruption = new AbortController();
  interruption.abort();
  await assert.rejects(load({ ...options, signal: interruption.signal }), {
    code: 'cancelled',
    message: /0 of 2 files are loaded/,
  });
  assert.deepEqual(await linesIn(directory), []);
  assert.match(await load(options), /; 2 were new$/);
});

test("the server's own graphs and those of LDP resources are not loaded into", async (context) => {
  const { directory, options } = await place(context, {
    'a.nq': '<urn:s> <urn:p> "a" <urn:x-pathpool:system> .',
  });
  await assert.rejects(load(options), { code: 'server-managed', message: /a\.nq: <urn:x-pathpool:system>/ });
  const server = await startServer(context, ['--data', directory]);
  const headers = { 'Content-Type': 'text/turtle', Slug: 'x' };
  const created = await fetch(`${server.url}/ldp`, { method: 'POST', headers, body: '<> <urn:p> "1" .' });
  await server.end('SIGTERM');
  const before = await linesIn(directory);
  const graph = new URL(created.headers.get('Location') ?? '').href;
  const { options: other } = await place(context, { 'b.nt': '<urn:s> <urn:p> "b" .' });
  await assert.rejects(load({ ...other, directory, graph }), { code: 'ldp-managed' });
  assert.deepEqual(await linesIn(directory), before);
});

test('the command reports its work, without a progress bar outside of a terminal, and a server serves the data', async (context) => {
  const { directory, options } = await place(context, { 'a.nt': '<urn:s> <urn:p> "a" .' });
  const { status, out, err } = await runPathpool(['load', directory, ...options.files]);
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /^1 statements read in \d+\.\d s, [\d,]+\/s; 1 were new\n$/);
  const names = (await readdir(directory)).filter((name) => name.startsWith('lock'));
  assert.deepEqual(names, []);
  assert.match((await linesIn(directory)).join(), /<http:\/\/localhost:8080\/context\/default> \.$/);
});

test('invalid arguments change nothing, and a directory in use is rejected', async (context) => {
  const { root, directory, options } = await place(context, { 'a.nt': '<urn:s> <urn:p> "a" .', 'a.txt': '' });
  const [good = '', bad = ''] = options.files;
  await assert.rejects(load({ ...options, files: [good, bad] }), {
    code: 'unsupported-media-type',
    message: /a\.txt/,
  });
  await assert.rejects(load({ ...options, files: [join(root, 'none.nt')] }), { code: 'not-found' });
  await assert.rejects(load({ ...options, files: [good], graph: 'no iri' }), { code: 'bad-arguments' });
  assert.deepEqual((await readdir(root)).sort(), ['a.nt', 'a.txt']);
  const lock = await lockDirectory(directory);
  await assert.rejects(load({ ...options, files: [good] }), { code: 'data-locked' });
  await lock.release();
});

test('a graph named by a blank node is rejected with its file and position, and earlier files are kept', async (context) => {
  const { root, directory, options } = await place(context, {
    'a.nt': '<urn:s> <urn:p> "a" .',
    'b.nq': '<urn:s> <urn:p> "b" <urn:x:h> .\n\n<urn:s> <urn:p> "c" _:g .\n',
  });
  await assert.rejects(load(options), {
    code: 'bad-term',
    message: /b\.nq: line 3, column 21: .*blank node.*IRI/,
  });
  await writeFile(join(root, 'c.trig'), '<urn:x:h> { <urn:s> <urn:p> "b" } [] { <urn:s> <urn:p> "c" }');
  await assert.rejects(load({ ...options, files: [join(root, 'c.trig')] }), {
    code: 'bad-term',
    message: /c\.trig: The statement <urn:s> <urn:p> "c" .*blank node.*IRI/,
  });
  assert.deepEqual(await linesIn(directory), ['<urn:s> <urn:p> "a" <urn:x:g> .']);
});

test('a byte order mark is recognised only at the start of a file, and not at the start of a later part', async (context) => {
  const row = `<urn:s> <urn:p> "${'a value '.repeat(10)}" .\n`;
  const before = Math.floor((4 << 20) / row.length);
  const { root, directory, options } = await place(context, {
    'a.nt': `\ufeff${row}`,
    'b.nt': `${row.repeat(before)}\ufeff${row}`,
  });
  await assert.rejects(load(options), {
    code: 'parse-error',
    message: new RegExp(`b\\.nt: line ${before + 1}, column 1: `),
    details: { line: before + 1, column: 1, source: 'body' },
  });
  assert.equal((await linesIn(directory)).length, 1);
  await writeFile(join(root, 'b.nt'), `${row.repeat(before)}${row}`);
  await load(options);
});
