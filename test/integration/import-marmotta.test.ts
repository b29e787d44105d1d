/** `pathpool import-marmotta` with an export by Marmotta's own services, and a real server. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { projectFile } from '../support/project.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const DUMP = projectFile('test/fixtures/marmotta/export.trig');
const HOME = projectFile('test/fixtures/marmotta/home');
const BASE = 'http://localhost:8080';

async function serverOf(context: TestContext, base = BASE): Promise<string> {
  const { url } = await startServer(context, ['--memory', '--base', base]);
  return url;
}

function importInto(url: string, ...args: string[]): ReturnType<typeof runPathpool> {
  return runPathpool(['import-marmotta', '--server', url, ...args]);
}

async function textAt(url: string, accept = 'application/n-triples'): Promise<string> {
  const response = await fetch(url, { headers: { Accept: accept } });
  assert.equal(response.status, 200, url);
  return response.text();
}

test('contexts come with their labels, literals and blank nodes', async (context) => {
  const url = await serverOf(context);
  const { out, err } = await importInto(url, DUMP, '--home', HOME);
  assert.match(out, /\n {2}16 triples\n/, err);
  const list = JSON.parse(await textAt(`${url}/context/list?labels`, 'application/json'));
  assert.deepEqual(
    list.find(({ uri }: { uri: string }) => uri.endsWith('/people')),
    { uri: `${BASE}/context/people`, label: 'People', size: 13 },
  );
  const people = await textAt(`${url}/context/people`, 'text/turtle');
  assert.match(people, /foaf:knows \[\s+foaf:name "Bob" ;\s+foaf:knows \[ foaf:name "Cem" \]\s+\]/);
  assert.match(people, /"line one\\nline \\"two\\" \\\\ ä 😀"/);
  // The dump declares it.
  assert.match(people, /@prefix ex: <http:\/\/example\.org\/>/);
});

test('resources of /ldp are created under their URIs, with the files of binaries', async (context) => {
  const url = await serverOf(context);
  await importInto(url, DUMP, '--home', HOME);
  const box = await textAt(`${url}/ldp/box`);
  assert.match(box, /<http:\/\/www\.w3\.org\/ns\/ldp#contains> <http:\/\/localhost:8080\/ldp\/box\/note>/);
  assert.match(box, /<http:\/\/purl\.org\/dc\/terms\/title> "A box"/);
  const note = await fetch(`${url}/ldp/box/note`);
  assert.doesNotMatch(note.headers.get('Link') ?? '', /ldp#Container/);
  const picture = await fetch(`${url}/ldp/box/picture.png`, { headers: { Accept: 'image/png' } });
  assert.deepEqual([...new Uint8Array(await picture.arrayBuffer())], [0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
  assert.match(await textAt(`${url}/ldp/box/picture.png.meta`), /"A picture"/);
});

test('content, and programs with their prefixes, come from the home directory', async (context) => {
  const url = await serverOf(context);
  const { out } = await importInto(url, DUMP, '--home', HOME);
  const content = await fetch(`${url}/content/text/plain?uri=${BASE}/resource/letter`);
  assert.deepEqual([content.headers.get('Content-Type'), await content.text()], ['text/plain', 'Dear Ann']);
  assert.match(out, /1 contents that may lack their end: .*\n {4}http:\/\/localhost:8080\/resource\/blob/);
  assert.match(out, /1 contents that are empty files: .*\n {4}http:\/\/localhost:8080\/resource\/short/);
  const program = JSON.parse(await textAt(`${url}/ldpath/programs/People`, 'application/json'));
  assert.deepEqual(program.namespaces, { my: 'http://example.org/my#' });
  assert.match(program.program, /fn:concat\(foaf:name, " \\\\ ä", ex:note\)/);
  assert.match(out, /programs that the server refuses\n {4}broken: 400: .*line 1, column 8/);
});

test('prefixes of the settings and of the export are stored', async (context) => {
  const url = await serverOf(context);
  const put = { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: 'http://example.org/' };
  await fetch(`${url}/prefixes/ex`, put);
  const { out } = await importInto(url, DUMP, '--home', HOME);
  const table = JSON.parse(await textAt(`${url}/prefixes?source=stored`, 'application/json'));
  assert.deepEqual(table, { ex: 'http://example.org/', my: 'http://example.org/my#' });
  assert.match(out, /1 prefixes\n {4}my=http:\/\/example\.org\/my#/);
  await fetch(`${url}/prefixes/my`, { ...put, body: 'urn:x:changed:' });
  const again = await importInto(url, DUMP, '--home', HOME);
  assert.match(again.out, /1 prefixes, since the server has others of the same names/);
  assert.equal(await textAt(`${url}/prefixes/my`, 'text/plain'), 'urn:x:changed:');
});

test('what was skipped is in the report, and the status says so', async (context) => {
  const url = await serverOf(context);
  const file = join(await temporaryDirectory(context), 'report.json');
  const { status } = await importInto(url, DUMP, '--home', HOME, '--report', file);
  assert.equal(status, 1);
  const { skipped } = JSON.parse(await readFile(file, 'utf8'));
  const found = skipped.map(({ what, examples }: { what: string; examples: string[] }) => [
    what,
    examples[0],
  ]);
  assert.ok(
    found.some(([what, example]: string[]) => /^deleted/.test(what!) && example === `${BASE}/ldp/gone`),
  );
});

test('a repeated import adds nothing, not even blank nodes', async (context) => {
  const url = await serverOf(context);
  await importInto(url, DUMP, '--home', HOME);
  const before = await textAt(`${url}/dataset`, 'application/n-quads');
  const { out } = await importInto(url, DUMP, '--home', HOME);
  assert.match(out, /There already, and not sent again:\n(.*\n)*.*triples with blank nodes/);
  assert.equal(await textAt(`${url}/dataset`, 'application/n-quads'), before);
});

test('after pathpool load, --skip-data creates the resources of /ldp from the graphs', async (context) => {
  const directory = await temporaryDirectory(context);
  const loaded = await runPathpool(['load', directory, DUMP]);
  assert.equal(loaded.status, 0, loaded.err);
  const { url } = await startServer(context, ['--data', directory, '--base', BASE]);
  const { out } = await importInto(url, DUMP, '--skip-data');
  assert.doesNotMatch(out, /16 triples/);
  assert.match(await textAt(`${url}/ldp/box`), /"A box"/);
  assert.equal((await fetch(`${url}/ldp/box/note`, { method: 'OPTIONS' })).status, 200);
});

test('another base than that of /ldp is an error before anything is sent', async (context) => {
  const url = await serverOf(context, 'http://other.example.org');
  const { status, err } = await importInto(url, DUMP);
  assert.equal(status, 2);
  assert.match(err, /start it with --base http:\/\/localhost:8080\. Nothing was sent\.\n$/);
  assert.equal(
    await textAt(`${url}/context/list`, 'application/json'),
    `["http://other.example.org/context/default"]`,
  );
});

test('a mistake in a dump is named with file and line, before anything is sent', async (context) => {
  const url = await serverOf(context);
  const file = join(await temporaryDirectory(context), 'bad.nq');
  await writeFile(file, '<urn:x:a> <urn:x:b> "good" .\n<urn:x:a> <urn:x:b> "\\uD83D\\uDE00" .\n');
  const { status, err } = await importInto(url, file);
  assert.equal(status, 2);
  assert.match(
    err,
    /bad\.nq: line 2, column 21: Malformed escape .* Nothing was sent\. .*application\/trig\.\n$/,
  );
  assert.equal((await fetch(`${url}/resource?uri=urn:x:a`)).status, 404);
});

test('arguments that are wrong are errors of one line', async () => {
  const without = await runPathpool(['import-marmotta', '--server', 'http://localhost:1']);
  assert.deepEqual([without.status, /name an export, or --home/.test(without.err)], [2, true]);
  const password = await importInto('http://ann:secret@localhost:1', DUMP);
  assert.deepEqual([password.status, /secret/.test(password.err)], [2, false]);
  const unreachable = await importInto('http://localhost:1', DUMP);
  assert.match(unreachable.err, /^pathpool: http:\/\/localhost:1 can't be reached: .*\n$/);
});

test('what /ldp refuses is left with the reason, and the rest is taken', async (context) => {
  const url = await serverOf(context);
  const file = join(await temporaryDirectory(context), 'slash.nq');
  const uri = `${BASE}/ldp/slash/`;
  const note = (subject: string, predicate: string, object: string) =>
    `<${subject}> <${predicate}> <${object}> <http://www.w3.org/ns/ldp#> .\n`;
  const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
  const notes = [
    note(uri, type, 'http://www.w3.org/ns/ldp#RDFSource'),
    note(`${BASE}/ldp`, 'http://www.w3.org/ns/ldp#contains', uri),
  ];
  await writeFile(
    file,
    `${notes.join('')}<${uri}> <urn:x:title> "T" <${uri}> .\n<urn:x:a> <urn:x:b> "Kept" <urn:x:g> .\n<urn:x:a> <urn:x:b> "x" <${BASE}/ldp/no> .\n`,
  );
  const { status, out } = await importInto(url, file);
  assert.equal(status, 1);
  assert.match(
    out,
    /1 LDP RDF sources that the server refuses\n {4}http:\/\/localhost:8080\/ldp\/slash\/: 308/,
  );
  assert.match(out, /1 triples of LDP resources that were skipped/);
  assert.match(
    out,
    /1 triples in graphs below \/ldp that are no LDP resources\n {4}http:\/\/localhost:8080\/ldp\/no/,
  );
  assert.match(await textAt(`${url}/context?graph=urn:x:g`), /"Kept"/);
});

test('without a home directory, binaries and contents are left and counted', async (context) => {
  const url = await serverOf(context);
  const { out } = await importInto(url, DUMP);
  assert.match(
    out,
    /1 LDP binaries whose files are not below --home\n {4}http:\/\/localhost:8080\/ldp\/box\/picture\.png/,
  );
  assert.match(out, /3 contents whose files are not below --home/);
});

test('a server that wants credentials gets those of the environment, and others end the command', async (context) => {
  const credential = `write ann ${await hashPassword('pass')}`;
  const { url } = await startServer(context, ['--memory', '--base', BASE, '--credential', credential]);
  const refused = await importInto(url, DUMP);
  assert.equal(refused.status, 2);
  assert.match(refused.err, /^pathpool: [^\n]*\n$/);
  const authorization = `Basic ${Buffer.from('ann:pass').toString('base64')}`;
  const given = { PATHPOOL_AUTHORIZATION: authorization };
  const { out } = await runPathpool(['import-marmotta', '--server', url, DUMP], given);
  assert.match(out, /19 triples/);
});
