import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { lockDirectory } from '../../src/journal/lock/lock.ts';
import { checkpointFile } from '../support/checkpoint-names.ts';
import { projectFile } from '../support/project.ts';
import { BASE, runPathpool, spawnPathpool, startServer } from '../support/server-process.ts';
import { commit, maintain, merge, openOn, putContent, replace } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/**
 * Returns a directory with a checkpoint at commit 2 and two later commits. `isClosed`: a clean
 * shutdown ended the server, and not a crash.
 */
async function filledDirectory(context: TestContext, isClosed = true): Promise<string> {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> _:b .'));
  await commit(store, replace('urn:x:h', '_:b <urn:p> "grüße \\"1\\""@de .'));
  await maintain(store, disk);
  await commit(store, replace('urn:x:h', '<urn:s> <urn:p> <urn:o> .'));
  await commit(store, replace('urn:x:empty', ''));
  const crashed = await temporaryDirectory(context);
  await cp(directory, crashed, { recursive: true });
  await store.close();
  return isClosed ? directory : crashed;
}

async function damage(directory: string, name: string, change: (bytes: Buffer) => void): Promise<void> {
  const path = join(directory, name);
  const bytes = await readFile(path);
  change(bytes);
  await writeFile(path, bytes);
}

async function bytesOf(directory: string): Promise<Map<string, string>> {
  const names = await readdir(directory);
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'base64')));
  return new Map(names.map((name, i) => [name, texts[i]!]));
}

test('an intact directory is reported as such, with status 0, and is not changed', async (context) => {
  const directory = await filledDirectory(context);
  const before = await bytesOf(directory);
  const { status, out } = await runPathpool(['check', directory]);
  assert.equal(out, 'commit 4: 3 quads in 3 graphs\nall is well\n');
  assert.equal(status, 0);
  assert.deepEqual(await bytesOf(directory), before);
});

test('damage is reported with status 1', async (context) => {
  const directory = await filledDirectory(context);
  await damage(directory, 'journal-000000000003.log', (bytes) => bytes.writeUInt8(bytes[80]! ^ 1, 80));
  const { status, out } = await runPathpool(['check', directory]);
  assert.match(out, /^damaged: journal-000000000003\.log, byte \d+, record 3: a bad record/m);
  assert.match(out, /\ndamage was found\n$/);
  assert.equal(status, 1);
});

for (const [kind, at] of [
  ['image', 200],
  ['json', 20],
] as const) {
  test(`one flipped bit in the .${kind} of a checkpoint is found`, async (context) => {
    const directory = await filledDirectory(context);
    const name = await checkpointFile(await openNodeDisk(directory), kind);
    await damage(directory, name, (bytes) => bytes.writeUInt8(bytes[at]! ^ 1, at));
    const { lines, damaged } = await check(directory);
    assert.ok(damaged);
    assert.match(lines.join('\n'), new RegExp(`^damaged: ${name}`, 'm'));
  });
}

/** Changes a manifest, and corrects its digest. */
async function forgeManifest(path: string, change: (manifest: Manifest) => void): Promise<void> {
  const manifest = JSON.parse((await readFile(path, 'utf8')).split('\n')[0]!) as Manifest;
  change(manifest);
  const text = JSON.stringify(manifest);
  await writeFile(path, `${text}\n${sha256(text)}\n`);
}

interface Manifest {
  quadCount: number;
  /** Writes a manifest in format 1. */
  readonly quads: { digest: string };
  readonly graphs: [name: string, size: number, ...unknown[]][];
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('a manifest whose counts differ from its image is damage, although both digests are right', async (context) => {
  const directory = await filledDirectory(context);
  await forgeManifest(join(directory, 'checkpoint-000000000002.json'), (manifest) => {
    manifest.quadCount++;
    manifest.graphs.find(([graph]) => graph === 'urn:x:h')![1]++;
  });
  const { lines, damaged } = await check(directory);
  assert.ok(damaged);
  assert.deepEqual(lines.slice(1, -1), [
    'damaged: the checkpoint at commit 2: 3 quads; 4 are recorded',
    'damaged: the checkpoint at commit 2: <urn:x:h> holds 1 triples; 2 are recorded',
    'damaged: <urn:x:h> holds 1 triples; 2 are recorded',
  ]);
});

test('quads that differ from those of the image are damage, although both digests are right', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(projectFile('test/store/fixtures/v1/checkpoint'), directory, { recursive: true });
  const name = 'checkpoint-000000000003.nq';
  const manifest = join(directory, 'checkpoint-000000000003.json');
  await damage(directory, name, (bytes) => bytes.write('X', bytes.indexOf('> .') - 1));
  const quads = await readFile(join(directory, name));
  await forgeManifest(manifest, (given) => {
    given.quads.digest = sha256(quads);
  });
  const { lines, damaged } = await check(directory);
  assert.ok(damaged);
  const count = quads.toString().trimEnd().split('\n').length;
  assert.deepEqual(lines.slice(1, -1), [
    `damaged: ${name} has ${count} quads, 1 of which are not in checkpoint-000000000003.image, which has ${count}`,
  ]);
});

test('a journal with a change that has no effect is damage', async (context) => {
  const directory = await filledDirectory(context);
  const disk = await openNodeDisk(directory);
  const journal = await openJournal(disk, { checkpoint: 2, opened: true });
  const payload = Buffer.from('H time "1" .\nTX .\nA <urn:s> <urn:p> "1" <urn:x:g> .\nTC .\n');
  await journal.append([{ sequence: 5, payload: [payload] }]);
  await journal.close();
  const { lines, damaged } = await check(directory);
  assert.ok(damaged);
  assert.match(lines.join('\n'), /^damaged: the journal has 1 changes without effect$/m);
});

test('the end of a write that a crash interrupted is not damage, and its length is reported', async (context) => {
  const directory = await filledDirectory(context, false);
  const name = 'journal-000000000003.log';
  await writeFile(join(directory, name), (await readFile(join(directory, name))).subarray(0, -3));
  const { lines, damaged } = await check(directory);
  assert.match(
    lines.join('\n'),
    /the next start truncates the journal: .*\ncommit 3: 3 quads in 2 graphs\nall is well$/,
  );
  assert.equal(damaged, false);
});

test('an interrupted write is damage if the directory was closed after it', async (context) => {
  const directory = await filledDirectory(context);
  const name = 'journal-000000000003.log';
  await writeFile(join(directory, name), (await readFile(join(directory, name))).subarray(0, -3));
  const { status, out } = await runPathpool(['check', directory]);
  assert.match(out, /^damaged: journal-000000000003\.log, byte \d+, record 4: .* clean close/m);
  assert.equal(status, 1);
});

test('a damaged seal is damage, although recovery ignores it', async (context) => {
  const directory = await filledDirectory(context);
  await damage(directory, 'journal.seal', (bytes) => bytes.writeUInt8(bytes[9]! ^ 1, 9));
  const { lines, damaged } = await check(directory);
  assert.match(lines.join('\n'), /^damaged: journal\.seal does not match its own digest$/m);
  assert.ok(damaged);
  const inspected = await runPathpool(['inspect', directory]);
  assert.match(inspected.out, /^journal\.seal: damaged, and ignored by a start$/m);
  assert.equal(inspected.status, 0);
  const notices: string[] = [];
  await (await openOn(await openNodeDisk(directory), { notices })).close();
  assert.match(notices.join(), /a seal .* It is ignored/);
});

test('a content file that is missing or changed is damage', async (context) => {
  const directory = await filledDirectory(context);
  const disk = await openNodeDisk(directory);
  const { digest, bytes } = await putContent(disk, directory, 'urn:x:text');
  assert.equal((await check(directory)).damaged, false);
  const path = join(directory, 'content', digest.slice(0, 2), digest);
  await writeFile(path, 'y'.repeat(bytes));
  assert.match((await check(directory)).lines.join('\n'), /^damaged: content.*does not match its digest$/m);
  await rm(path);
  assert.match((await check(directory)).lines.join('\n'), /^damaged: content.*can't be read: ENOENT/m);
});

test('a missing identity and the files of an interrupted checkpoint are reported', async (context) => {
  const directory = await filledDirectory(context);
  await rm(join(directory, 'identity.json'));
  await writeFile(join(directory, 'checkpoint-000000000009.image'), 'half');
  const { lines, damaged } = await check(directory);
  assert.match(lines.join('\n'), /no identity\.json/);
  assert.match(lines.join('\n'), /checkpoint-000000000009\.image: left by an interrupted checkpoint/);
  assert.equal(damaged, false);
});

test('a command that waits for the lease of a directory says why', async (context) => {
  const directory = await filledDirectory(context);
  const lock = await lockDirectory(directory, { leaseMs: 1_000 });
  for (const command of ['check', 'export']) {
    const { status, err } = await runPathpool([command, directory]);
    assert.equal(status, 2);
    assert.match(err, /^pathpool: Waiting 1 s to see whether process \d+ on .* still renews its lease of /);
  }
  await lock.release();
});

test('a directory in use is not read, with status 2 and a message that names the holder', async (context) => {
  const directory = await filledDirectory(context);
  const lock = await lockDirectory(directory);
  for (const command of ['check', 'export']) {
    const { status, err, out } = await runPathpool([command, directory]);
    assert.match(err, new RegExp(`in use by process ${process.pid}`));
    assert.deepEqual([status, out], [2, '']);
  }
  await lock.release();
});

test('export writes all quads, or those of one graph, and names a missing graph', async (context) => {
  const directory = await filledDirectory(context);
  const all = await runPathpool(['export', directory]);
  assert.deepEqual(all.out.trimEnd().split('\n').sort(), [
    '<urn:s> <urn:p> "1" <urn:x:g> .',
    '<urn:s> <urn:p> <urn:o> <urn:x:h> .',
    '<urn:s> <urn:p> _:b1X0X0 <urn:x:g> .',
  ]);
  const one = await runPathpool(['export', directory, '--graph', 'urn:x:h']);
  assert.deepEqual([one.status, one.out], [0, '<urn:s> <urn:p> <urn:o> <urn:x:h> .\n']);
  const none = await runPathpool(['export', directory, '--graph', 'urn:x:none']);
  assert.deepEqual([none.status, none.out], [2, '']);
  assert.match(none.err, /There is no graph <urn:x:none>/);
});

test('export ends without an error when its reader closes the pipe', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await openOn(await openNodeDisk(directory));
  const triples = Array.from({ length: 20_000 }, (_, i) => `<urn:s> <urn:p> <urn:o${i}> .`);
  await commit(store, merge('urn:x:g', triples.join('\n')));
  await store.close();
  const child = spawnPathpool(context, ['export', directory]);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout?.once('data', () => child.stdout?.destroy());
  const [status] = await once(child, 'close');
  assert.deepEqual([status, errors], [0, '']);
});

test('the export of a data directory with LDP resources can be loaded again', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await startServer(context, ['--data', directory]);
  const headers = { 'Content-Type': 'text/turtle', Slug: 'x' };
  const body = '<> <urn:p> "1" .';
  const created = await fetch(`${server.url}/ldp`, { method: 'POST', headers, body });
  assert.equal(created.status, 201);
  await server.end('SIGTERM');
  const { out } = await runPathpool(['export', directory]);
  assert.equal(out, `<${BASE}/ldp/x> <urn:p> "1" <${BASE}/ldp/x> .\n`);
  const file = join(directory, 'all.nq');
  await writeFile(file, out);
  const again = await startServer(context, ['--memory', '--load', file]);
  const graph = await fetch(`${again.url}/context?graph=${encodeURIComponent(`${BASE}/ldp/x`)}`);
  assert.equal(graph.status, 200);
  await again.end('SIGTERM');
});

test('a damaged directory is not exported, with status 1', async (context) => {
  const directory = await filledDirectory(context);
  await damage(directory, 'checkpoint-000000000002.json', (bytes) => bytes.writeUInt8(0, 3));
  const { status, out, err } = await runPathpool(['export', directory]);
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, /checkpoint-000000000002\.json does not match/);
});
