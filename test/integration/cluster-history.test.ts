/** Changes of a cluster of real processes from before their start, which only the log has. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PathpoolProcess } from '../../bench/cluster/pathpool-process.ts';
import { startCluster, type TestCluster } from '../support/cluster.ts';
import { addTriples } from '../support/cluster-requests.ts';
import { withoutNats } from '../support/nats-servers.ts';

const timeout = 120_000;
const CHECKPOINT_OFTEN = ['--journal-max', '64KiB'];

describe('the history of changes in a cluster', { skip: withoutNats }, () => {
  it('is the same in all processes, after checkpoints and restarts (F-2)', { timeout }, async (t) => {
    const cluster = await startCluster(t, { logServers: 1, processes: 2 }, CHECKPOINT_OFTEN);
    const [first, second] = cluster.processes as [PathpoolProcess, PathpoolProcess];
    for (let count = 0; count < 30; count++) await add([first, second][count % 2]!, count, 50);
    // In several messages as text, then as blocks.
    await add(first, 30, 5_000);
    const { commit } = await add(second, 31, 30_000);
    await untilCheckpoint(cluster);
    const [, newest] = commit.split('.');
    const whole = await Promise.all([changes(first, '0'), changes(second, '0')]);
    assert.equal(whole[0], whole[1]);
    const lines = whole[0].trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { position: string; commit?: number });
    assert.equal(events.at(-1)?.position, commit);
    for (const process of [second, first]) {
      await process.restart();
      assert.equal(await changes(process, '0'), whole[0]);
      for (let at = 1; at <= Number(newest); at += 5) {
        const position = `${commit.split('.')[0]}.${at}`;
        const expected = lines.filter((_, index) => (events[index]?.commit ?? 0) > at);
        assert.deepEqual((await changes(process, position)).trim().split('\n'), expected, position);
      }
    }
  });

  it('ends with --changes-retention: older positions are gone (F-2)', { timeout }, async (t) => {
    const limits = [...CHECKPOINT_OFTEN, '--changes-retention', '0'];
    const cluster = await startCluster(t, { logServers: 1, processes: 2 }, limits);
    const [first, second] = cluster.processes as [PathpoolProcess, PathpoolProcess];
    const { commit } = await add(first, 0, 1);
    for (let count = 1; count < 30; count++) await add(first, count, 200);
    await untilCheckpoint(cluster);
    await second.restart();
    let status = 200;
    // Messages are removed after the checkpoint, and the next ones.
    for (let count = 30; status === 200; count++) {
      await add(first, count, 200);
      const response = await fetch(`${second.url}/changes?since=${commit}`);
      status = response.status;
      const text = await response.text();
      if (status === 410) assert.match(text, /"oldest":"[a-z0-9]{8}\.\d+"/);
    }
    assert.equal(status, 410);
  });
});

/** Adds this many triples to a graph. */
async function add(process: PathpoolProcess, count: number, triples: number) {
  const line = (i: number) => `<urn:x:s${i}> <urn:x:p${count}> "${'x'.repeat(120)}${i}" .\n`;
  const lines = Array.from({ length: triples }, (_, i) => line(i));
  const written = await addTriples(process, `urn:x:g${count % 3}`, lines.join(''));
  assert.ok(written.status < 300, written.text);
  return written;
}

async function changes({ url }: PathpoolProcess, since: string): Promise<string> {
  const response = await fetch(`${url}/changes?since=${since}&rows`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

async function untilCheckpoint(cluster: TestCluster): Promise<void> {
  const { directory } = await cluster.writer();
  for (;;) {
    const names = await readdir(directory);
    if (names.some((name) => /^checkpoint-.*\.json$/.test(name))) return;
    await sleep(25);
  }
}
