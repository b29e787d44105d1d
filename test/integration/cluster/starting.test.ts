import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOG } from '../../support/cluster.ts';
import { addTriples, readGraph } from '../../support/cluster-requests.ts';
import { startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { runPathpool, startServer } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describe('a process that starts', { skip: withoutNats }, () => {
  it('tells that it fetches the checkpoint, which is no warning', { timeout: 120_000 }, async (context) => {
    const single = await temporaryDirectory(context);
    const alone = await startServer(context, ['--data', single, '--threads', '1']);
    await addTriples(alone, 'urn:x:g', '<urn:x:s> <urn:x:p> "1" .');
    await alone.end('SIGTERM');
    const journal = (await startNatsServers(context)).journal(LOG);
    const imported = await runPathpool(['import', single, journal, '--cluster-replicas', '1']);
    assert.equal(imported.status, 0, imported.err);
    const args = ['--journal', journal, '--cluster-replicas', '1', '--threads', '1', '--log-level', 'info'];
    const data = await temporaryDirectory(context);
    const joined = await startServer(context, [...args, '--data', data, '--host', '127.0.0.1']);
    const lines = joined.errors.split('\n').filter((line) => line.includes('"event":"fetching"'));
    const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    assert.deepEqual([line?.['level'], line?.['done']], [30, 0], joined.errors);
    assert.ok(Number(line?.['total']) > 1000);
    assert.equal((await readGraph(joined, 'urn:x:g')).status, 200);
  });
});
