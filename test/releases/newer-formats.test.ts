import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backup } from '../../src/cli/backup.ts';
import { checkRepository } from '../../src/cli/backups/inventory.ts';
import { type Manifest, manifestText, parseManifest, sealed } from '../../src/cli/backups/manifest.ts';
import { restore } from '../../src/cli/backups/restoring/restore.ts';
import { backupOnce } from '../../src/cli/backups/round.ts';
import { check } from '../../src/cli/check.ts';
import { exportQuads } from '../../src/cli/export.ts';
import { inspect } from '../../src/cli/inspect.ts';
import { noDisplay } from '../../src/cli/work-display.ts';
import { writeClusterFile } from '../../src/cluster/objects/cluster-file.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { OfflineStore } from '../../src/load/offline-store.ts';
import type { FileDigest } from '../../src/pool/file-digest.ts';
import { projectFile } from '../support/project.ts';
import { runPathpool } from '../support/server-process.ts';
import { openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const fixture = projectFile('test/fixtures/releases/0.1.0/data');

/** Raises the format that a file names. */
type Raise = (bytes: Buffer) => Buffer;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Some files have a second line, which is the digest of the first. */
const inText: Raise = (bytes) => {
  const [line = '', digest = ''] = bytes.toString().split('\n');
  const raised = line.replace(/^\{"format":\d+/, '{"format":7');
  return Buffer.from(digest === '' ? `${raised}\n` : `${raised}\n${sha256(raised)}\n`);
};
const atByte8: Raise = (bytes) => {
  bytes.writeUInt32LE(7, 8);
  return bytes;
};
const kinds: readonly (readonly [kind: string, name: RegExp, raise: Raise])[] = [
  ['identity', /^identity\.json$/, inText],
  ['seal', /^journal\.seal$/, inText],
  ['manifest of a checkpoint', /^checkpoint-\d+\.json$/, inText],
  ['image of a checkpoint', /\.image$/, atByte8],
  ['journal file', /^journal-\d+\.log$/, atByte8],
  ['file of the retained history', /^changes-.*\.log$/, atByte8],
];

/** The names of all files with the digests of their bytes. */
async function digests(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const lines = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return `${sha256(await readFile(file))} ${file}`;
  });
  return (await Promise.all(lines)).sort();
}

async function directoryWith(root: string, name: RegExp, raise: Raise) {
  const directory = join(root, 'data');
  await cp(fixture, directory, { recursive: true });
  const found = (await readdir(directory)).find((each) => name.test(each))!;
  const file = join(directory, found);
  await writeFile(file, raise(await readFile(file)));
  // What a start usually removes.
  await writeFile(join(directory, 'checkpoint-000000000099-0123456789abcdef.image'), 'left over');
  await writeFile(join(directory, 'journal-000000000099.log.new'), 'left over');
  return { directory, found };
}

for (const [kind, name, raise] of kinds) {
  test(`a data directory whose ${kind} has a newer format is refused, and nothing in it changes`, async (t) => {
    const root = await temporaryDirectory(t);
    const { directory, found } = await directoryWith(root, name, raise);
    const before = await digests(root);
    const error = { code: 'newer-format', message: new RegExp(`^${found} has format 7, and this release`) };
    const target = join(root, 'copy');
    const notice = () => {};
    await assert.rejects(check(directory), error);
    await assert.rejects(inspect(directory, undefined), error);
    await assert.rejects(inspect(directory, 20), error);
    await assert.rejects(exportQuads(directory, undefined, notice), error);
    await assert.rejects(backup(directory, target), error);
    await assert.rejects(OfflineStore.open(directory, notice), error);
    const disk = await openNodeDisk(directory);
    await assert.rejects(openOn(disk), error);
    await assert.rejects(openOn(disk, { recover: true }), error);
    assert.deepEqual(await digests(root), before);
  });
}

test('the server and the commands say what to do about a newer format', async (t) => {
  const root = await temporaryDirectory(t);
  const { directory, found } = await directoryWith(root, /^journal-\d+\.log$/, atByte8);
  const file = join(root, 'file.nt');
  await writeFile(file, '');
  const before = await digests(root);
  const commands = [
    ['--port', '0', '--data', directory],
    ['--port', '0', '--data', directory, '--recover'],
    ['load', directory, file],
    ['check', directory],
  ];
  for (const args of commands) {
    const { status, err } = await runPathpool(args);
    assert.notEqual(status, 0);
    assert.match(
      err,
      new RegExp(`${found} has format 7, and this release of Pathpool reads formats up to 4`),
    );
    assert.match(err, /Use that release or a newer one; or restore a backup/);
  }
  assert.deepEqual(await digests(root), before);
});

/** Raises the format of one of the files that the only backup of a repository has. */
async function raiseInRepository(repository: string, find: (manifest: Manifest) => FileDigest) {
  const folder = join(repository, 'backups');
  const [name = ''] = await readdir(folder);
  const manifest = parseManifest(name, await readFile(join(folder, name), 'utf8'));
  const file = find(manifest);
  const pathOf = (digest: string) => join(repository, 'objects', digest.slice(0, 2), digest);
  const bytes = atByte8(await readFile(pathOf(file.digest)));
  const digest = sha256(bytes);
  await mkdir(join(repository, 'objects', digest.slice(0, 2)), { recursive: true });
  await writeFile(pathOf(digest), bytes);
  const raised = manifestText(manifest).split('\n')[0]!.replaceAll(file.digest, digest);
  await writeFile(join(folder, name), sealed(raised));
}

const around = { notice: () => {}, display: noDisplay, now: Date.now };

async function backUp(repository: string): Promise<void> {
  const { signal } = new AbortController();
  await backupOnce({ directory: fixture, repository, keep: undefined }, { ...around, signal });
}

for (const [kind, name] of [
  ['mark', /^pathpool-backups\.json$/],
  ['manifest', /^backups.\d.*\.json$/],
] as const) {
  test(`a backup repository whose ${kind} has a newer format is refused, and nothing in it changes`, async (t) => {
    const root = await temporaryDirectory(t);
    await backUp(root);
    const file = join(root, (await readdir(root, { recursive: true })).find((each) => name.test(each))!);
    await writeFile(file, inText(await readFile(file)));
    const before = await digests(root);
    const error = { code: 'newer-format', message: /has format 7/ };
    await assert.rejects(backUp(root), error);
    await assert.rejects(checkRepository(root), error);
    const target = join(await temporaryDirectory(t), 'restored');
    await assert.rejects(restore({ from: root, target, point: undefined }, around), error);
    assert.deepEqual(await digests(root), before);
  });
}

for (const [kind, find] of [
  ['image', ({ base }) => base.files.find(({ name }) => name.endsWith('.image'))!],
  ['segment', ({ segments }) => segments[0]!.file],
] as const satisfies readonly (readonly [string, (manifest: Manifest) => FileDigest])[]) {
  test(`a backup whose ${kind} has a newer format is not restored`, async (t) => {
    const root = await temporaryDirectory(t);
    const repository = join(root, 'backups');
    await backUp(repository);
    await raiseInRepository(repository, find);
    const task = { from: repository, target: join(root, 'restored'), point: undefined };
    await assert.rejects(restore(task, around), { code: 'newer-format', message: /has format 7/ });
    assert.deepEqual(await readdir(root), ['backups']);
  });
}

test('the directory of a process in a cluster names its format', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeClusterFile(await openNodeDisk(directory), { identity: '0123abcd' });
  const text = await readFile(join(directory, 'cluster.json'), 'utf8');
  assert.deepEqual(JSON.parse(text), { format: 1, identity: '0123abcd' });
  await writeFile(join(directory, 'cluster.json'), inText(Buffer.from(text)));
  await assert.rejects(check(directory), { code: 'newer-format', message: /^cluster\.json has format 7/ });
});
