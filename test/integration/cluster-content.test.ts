/** Content, checkpoints and backups of a cluster of real processes. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { PathpoolProcess } from '../../bench/cluster/pathpool-process.ts';
import { startCluster, type TestCluster } from '../support/cluster.ts';
import { withoutNats } from '../support/nats-servers.ts';
import { suiteScope } from '../support/scope.ts';
import { BASE, runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TYPE = 'application/octet-stream';
const contentOf = (url: string, resource: string) =>
  `${url}/content/${TYPE}?uri=${encodeURIComponent(`${BASE}/${resource}`)}`;

describe('the content of a cluster', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let cluster: TestCluster;
  let first: PathpoolProcess;
  let second: PathpoolProcess;
  before(async () => {
    // Checkpoints after nearly each commit.
    cluster = await startCluster(scope, { logServers: 1, processes: 2 }, ['--journal-max', '512B']);
    [first, second] = cluster.processes as [PathpoolProcess, PathpoolProcess];
  });

  /** Stores content through a process. */
  async function store({ url }: PathpoolProcess, resource: string, body: Uint8Array): Promise<string> {
    const uri = encodeURIComponent(`${BASE}/${resource}`);
    await fetch(`${url}/resource?uri=${uri}`, { method: 'POST' });
    const response = await fetch(contentOf(url, resource), {
      method: 'PUT',
      headers: { 'Content-Type': TYPE },
      body: Buffer.from(body),
    });
    assert.ok(response.ok, await response.text());
    return response.headers.get('pathpool-commit')!;
  }

  function read({ url }: PathpoolProcess, resource: string, headers: Record<string, string>) {
    return fetch(contentOf(url, resource), { headers: { Accept: TYPE, ...headers } });
  }

  it('is read through the other process, completely and in part', async () => {
    for (const [writer, reader, resource] of [
      [first, second, 'a'],
      [second, first, 'b'],
    ] as const) {
      const bytes = randomBytes(1_500_000);
      const commit = await store(writer, resource, bytes);
      const headers = { 'Pathpool-Commit': commit };
      const part = await read(reader, resource, { ...headers, Range: 'bytes=1000000-1000099' });
      assert.equal(part.status, 206);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(1_000_000, 1_000_100));
      const whole = await read(reader, resource, headers);
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
    }
  });

  it('is there for a process that joins with an empty directory', async () => {
    const bytes = randomBytes(10_000);
    const commit = await store(first, 'joined', bytes);
    const third = await cluster.join();
    const response = await read(third, 'joined', { 'Pathpool-Commit': commit });
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    assert.ok((await readdir(third.directory)).some((name) => name.endsWith('.image')));
    await third.kill();
    // It has lost everything but its name.
    await rm(third.directory, { recursive: true });
    await third.start();
    await third.untilReady();
    assert.equal((await read(third, 'joined', { 'Pathpool-Commit': commit })).status, 200);
    await third.kill();
  });

  it('is in a backup, which a single server serves, and which begins another cluster', async (context) => {
    const bytes = randomBytes(700_000);
    await store(second, 'kept', bytes);
    const copy = join(await temporaryDirectory(context), 'copy');
    const backup = await runPathpool(['backup', cluster.journal, copy]);
    assert.deepEqual([backup.status, backup.err], [0, '']);
    const checked = await runPathpool(['check', copy]);
    assert.equal(checked.status, 0, checked.out);
    const other = cluster.journal.replace(/[^/]+$/, 'imported');
    const imported = await runPathpool(['import', copy, other, '--cluster-replicas', '1']);
    assert.deepEqual([imported.status, imported.err], [0, '']);
    const again = await runPathpool(['import', copy, other, '--cluster-replicas', '1']);
    assert.equal(again.status, 2);
    assert.match(again.err, /The log has data already/);
    const data = await temporaryDirectory(context);
    for (const options of [
      ['--data', copy],
      ['--data', data, '--journal', other, '--cluster-replicas', '1'],
    ]) {
      const server = await startServer(context, [...options, '--threads', '1', '--sparql-threads', '0']);
      const response = await fetch(contentOf(server.url, 'kept'), { headers: { Accept: TYPE } });
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    }
  });

  it('and all else at the log servers is found in order, and described', async () => {
    const checked = await runPathpool(['check', cluster.journal]);
    assert.equal(checked.status, 0, checked.out);
    assert.match(checked.out, /content objects\nall is well\n$/);
    const inspected = await runPathpool(['inspect', cluster.journal]);
    assert.match(inspected.out, /the lease is held by p[12] at http/);
    assert.match(inspected.out, /process p1 at .*: commit \d+, running since/);
  });
});
