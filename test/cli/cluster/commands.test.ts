import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { check } from '../../../src/cli/check.ts';
import { runClusterCommand } from '../../../src/cli/cluster/command-runner.ts';
import { backupCluster } from '../../../src/cli/cluster/shared-backup.ts';
import { checkCluster } from '../../../src/cli/cluster/shared-check.ts';
import { importCluster } from '../../../src/cli/cluster/shared-import.ts';
import { inspectCluster } from '../../../src/cli/cluster/shared-inspection.ts';
import { Stages } from '../../../src/cli/cluster/stages.ts';
import { noDisplay } from '../../../src/cli/work-display.ts';
import { bucketNames } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { NatsBucket } from '../../../src/cluster/objects/nats-bucket.ts';
import { contentObject } from '../../../src/cluster/objects/shared-content.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { contentPath } from '../../../src/store/content/referenced-content.ts';
import { openClusterProcess } from '../../support/cluster-process.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { commit, contentOf, contentOn, merge, openOn, putContent } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const report = { notice: (message: string) => assert.fail(message), stages: new Stages(noDisplay) };
const newTarget = async (scope: Parameters<typeof temporaryDirectory>[0]) =>
  join(await temporaryDirectory(scope), 'copy');

describe('commands for the data of a cluster', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  /** A cluster with two checkpoints, records behind them, and content. */
  async function newCluster() {
    const settings = servers.settings();
    const process = await openClusterProcess(scope, settings);
    for (const value of [1, 2, 3]) {
      await commit(process.store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
      if (value < 3) await process.checkpoint();
    }
    const digest = await process.putContent('urn:x:r', randomBytes(700_000));
    return { settings, process, digest };
  }

  it('copies a cluster to a directory that a single server opens', async (context) => {
    const { settings, process } = await newCluster();
    const target = await newTarget(context);
    assert.equal(await backupCluster(settings, target, report), 4);
    const { lines, damaged } = await check(target);
    assert.equal(damaged, false, lines.join('\n'));
    const disk = await openNodeDisk(target);
    const expected = contentOf(process.store);
    assert.deepEqual(await contentOn(disk), expected);
    const single = await openOn(disk);
    await commit(single, merge('urn:x:g', '<urn:s> <urn:p> "5" .'));
    assert.equal(contentOf(single).length, expected.length + 1);
    assert.notEqual(single.opened().identity.name, process.store.opened().identity.name);
    await single.close();
  });

  it('copies a cluster without a checkpoint, and one without anything', async (context) => {
    const settings = servers.settings();
    const { store } = await openClusterProcess(scope, settings);
    assert.equal(await backupCluster(settings, await newTarget(context), report), 0);
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    const target = await newTarget(context);
    assert.equal(await backupCluster(settings, target, report), 1);
    assert.deepEqual(await contentOn(await openNodeDisk(target)), contentOf(store));
  });

  it('begins a cluster with the data of a directory, and copies it back', async (context) => {
    const directory = await temporaryDirectory(context);
    const disk = await openNodeDisk(directory);
    const single = await openOn(disk);
    await commit(single, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    await single.close();
    const { digest } = await putContent(disk, directory, 'urn:x:r');
    const names = await readdir(directory);
    const settings = servers.settings();
    assert.equal(await importCluster(directory, settings, report), 2);
    assert.deepEqual(await readdir(directory), names, 'the directory is not changed');
    const { store, content } = await openClusterProcess(scope, settings);
    assert.deepEqual(contentOf(store), await contentOn(disk));
    const bytes = await content.read({ digest, bytes: 18 }, 0, 18);
    for await (const chunk of bytes) assert.equal(Buffer.from(chunk).toString(), 'content of urn:x:r');
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "2" .'));
    const target = await newTarget(context);
    assert.equal(await backupCluster(settings, target, report), 3);
    assert.deepEqual(await contentOn(await openNodeDisk(target)), contentOf(store));
  });

  it('refuses to import into a log that has data, and repeats an interrupted import', async (context) => {
    const { settings } = await newCluster();
    const directory = await temporaryDirectory(context);
    const single = await openOn(await openNodeDisk(directory));
    await commit(single, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    await single.close();
    await assert.rejects(importCluster(directory, settings, report), { code: 'bad-arguments' });
    const other = servers.settings();
    await interruptedImport(directory, other);
    const { lines, damaged } = await checkCluster(other, report);
    assert.equal(damaged, true);
    assert.match(lines.join('\n'), /begins behind commit 1.*an import has not ended/);
    assert.match((await inspectCluster(other)).text, /an import has not ended/);
    const refused = { code: 'bad-arguments', message: /an import has not ended/ };
    await assert.rejects(backupCluster(other, await newTarget(context), report), refused);
    await assert.rejects(openClusterProcess(scope, other), refused);
    assert.equal(await importCluster(directory, other, report), 1);
    await assert.rejects(importCluster(directory, other, report), { code: 'bad-arguments' });
  });

  it('lets one of two imports into the same log win, and refuses the other', async (context) => {
    const settings = servers.settings();
    const directories: string[] = [];
    for (const value of [1, 2]) {
      const directory = await temporaryDirectory(context);
      const single = await openOn(await openNodeDisk(directory));
      await commit(single, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
      await single.close();
      directories.push(directory);
    }
    const outcomes = await Promise.allSettled(
      directories.map((directory) => importCluster(directory, settings, report)),
    );
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    const other = outcomes[1 - winner]!;
    assert.ok(other.status === 'rejected');
    assert.equal((other.reason as { code?: string }).code, 'bad-arguments');
    const { store } = await openClusterProcess(scope, settings);
    assert.deepEqual(contentOf(store), await contentOn(await openNodeDisk(directories[winner]!)));
  });

  it('reports damage when content is missing or damaged, in a directory or a cluster', async (context) => {
    const directory = await temporaryDirectory(context);
    const disk = await openNodeDisk(directory);
    const { digest } = await putContent(disk, directory, 'urn:x:r');
    const file = join(directory, contentPath(digest));
    const bytes = await readFile(file);
    await writeFile(file, 'other');
    const isDamaged = { code: 'data-damaged', message: new RegExp(digest) };
    await assert.rejects(importCluster(directory, servers.settings(), report), isDamaged);
    await rm(file);
    await assert.rejects(importCluster(directory, servers.settings(), report), isDamaged);
    await writeFile(file, bytes);
    const settings = servers.settings();
    await importCluster(directory, settings, report);
    const objects = await NatsBucket.open(await connected(settings), bucketNames(settings.name).objects);
    await objects.remove((await objects.find(contentObject(digest)))!);
    await assert.rejects(backupCluster(settings, await newTarget(context), report), isDamaged);
  });

  it('tells how to start servers after an import, with the number of copies', async (context) => {
    const directory = await temporaryDirectory(context);
    await (await openOn(await openNodeDisk(directory))).close();
    const cluster = servers.settings();
    const { text } = await runClusterCommand(
      { kind: 'import', directory, cluster },
      noDisplay,
      report.notice,
    );
    assert.ok(text.endsWith(` --journal ${servers.journal(cluster.name)} --cluster-replicas 1\n`), text);
  });

  /** Leaves a log without a checkpoint: the objects are away when the checkpoint is stored. */
  async function interruptedImport(directory: string, settings: ClusterSettings): Promise<void> {
    const stages = new Stages(noDisplay);
    stages.begin = (stage: string) => {
      if (stage === 'storing the checkpoint') throw new Error('interrupted');
    };
    await assert.rejects(importCluster(directory, settings, { ...report, stages }), /interrupted/);
  }

  it('verifies everything that the log servers keep', async () => {
    const { settings } = await newCluster();
    const { lines, damaged } = await checkCluster(settings, report);
    assert.equal(damaged, false, lines.join('\n'));
    assert.match(
      lines.join('\n'),
      /records \d to 4\n.*commit 1: \d+ bytes\n.*commit 2: \d+ bytes\n1 content objects\nall is well/,
    );
  });

  it('finds content and files of checkpoints that are damaged or missing', async () => {
    const { settings, digest } = await newCluster();
    const connection = await connectNats(settings, 'test');
    const stream = `OBJ_${settings.name}_objects`;
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(stream);
    // The last piece of the content, before its entry.
    await manager.streams.deleteMessage(stream, state.last_seq - 1);
    const found = await checkCluster(settings, report);
    assert.ok(
      found.lines.some((line) => line.startsWith('damaged:') && line.includes(contentObject(digest))),
    );
    for (let seq = 1; seq < state.last_seq; seq++) {
      await manager.streams.deleteMessage(stream, seq).catch(() => {});
    }
    const { lines, damaged } = await checkCluster(settings, report);
    assert.equal(damaged, true);
    assert.equal(lines.filter((line) => /^damaged: .*checkpoint\/.* is missing/.test(line)).length, 4);
    await connection.close();
  });

  it('describes the log, its checkpoints and the processes', async () => {
    const { settings, process } = await newCluster();
    const { text, damaged } = await inspectCluster(settings);
    assert.equal(damaged, false);
    const { name } = process.store.opened().identity;
    for (const expected of [
      new RegExp(`^data set ${name}, created at `),
      new RegExp(`log ${settings.name}: messages \\d+ to 5, \\d+ bytes`),
      /one copy, without redundancy/,
      /newest checkpoint: commit 2, message 3, \d+ bytes, shared at /,
      /checkpoint before: commit 1, message 2, /,
      /no process holds the lease/,
    ]) {
      assert.match(text, expected);
    }
  });

  it('says so when there is no such log, or no server, and creates nothing', async (context) => {
    const settings = servers.settings();
    const target = await newTarget(context);
    const commands = [
      () => backupCluster(settings, target, report),
      () => checkCluster(settings, report),
      () => inspectCluster(settings),
    ];
    for (const command of commands) {
      await assert.rejects(command, { code: 'not-found', message: /have no log .*--journal/ });
    }
    const manager = await jetstreamManager(await connected(settings));
    assert.ok(!(await manager.streams.names().next()).some((name) => name.includes(settings.name)));
    const nowhere = { ...settings, servers: ['127.0.0.1:1'] };
    await assert.rejects(inspectCluster(nowhere), { code: 'unavailable' });
  });

  async function connected(settings: ClusterSettings) {
    const connection = await connectNats(settings, 'test');
    scope.after(() => connection.close());
    return connection;
  }
});
