import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { bucketNames, openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { openSharedLog } from '../../../src/cluster/nats/open-log.ts';
import { streamManager } from '../../../src/cluster/nats/streams.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import type { CommitLog } from '../../../src/journal/commit-log.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openOver, openTestLog, openUnread, records, replayed, texts } from '../../support/shared-logs.ts';
import { damage } from './jetstream-log-contract.ts';

describe('a log that is not as it must be', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  async function administration(
    context: TestContext,
    settings: ClusterSettings,
  ): Promise<{
    readonly manager: JetStreamManager;
    readonly state: Awaited<ReturnType<typeof openBuckets>>['state'];
  }> {
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    const { state } = await openBuckets(connection, settings);
    return { manager: await streamManager(connection), state };
  }

  it('is refused if a newer release has created it', async (context) => {
    const settings = servers.settings();
    const { state } = await administration(context, settings);
    const identity = newIdentity(1);
    await state.create('identity', JSON.stringify({ identity, commit: 0, format: 2, isStarted: true }));
    await assert.rejects(openUnread(context, settings), {
      code: 'newer-format',
      message: /has format 2, and this release of Pathpool reads formats up to 1/,
    });
  });

  it('is refused if its stream is gone, and not created anew', async (context) => {
    const settings = servers.settings();
    await openTestLog(context, settings);
    const { manager } = await administration(context, settings);
    await manager.streams.delete(settings.name);
    await assert.rejects(openUnread(context, settings), {
      code: 'data-damaged',
      message: /is not complete: its stream does not exist any more\. Restore/,
    });
    await assert.rejects(manager.streams.info(settings.name));
  });

  it('is refused if the bucket with its identity is gone', async (context) => {
    const settings = servers.settings();
    await openTestLog(context, settings);
    const { manager } = await administration(context, settings);
    await manager.streams.delete(`KV_${bucketNames(settings.name).state}`);
    await assert.rejects(openUnread(context, settings), { code: 'data-damaged', message: /no identity/ });
  });

  it('is refused if its stream is configured in another way, with the field', async (context) => {
    const settings = servers.settings();
    await openTestLog(context, settings);
    const { manager } = await administration(context, settings);
    await manager.streams.update(settings.name, { max_msgs: 1000, max_msg_size: 100, no_ack: true });
    await assert.rejects(openUnread(context, settings), {
      code: 'bad-arguments',
      message:
        /max_msgs is 1000 instead of -1; max_msg_size is 100 instead of -1; no_ack is true.*nats stream edit/s,
    });
  });

  it('is given up by a running process if another stream takes its place', async (context) => {
    const settings = servers.settings();
    const log = await openTestLog(context, settings);
    const { manager } = await administration(context, settings);
    const { config } = await manager.streams.info(settings.name);
    await manager.streams.delete(settings.name);
    await until(log, () => !log.isAvailable);
    await manager.streams.add({ ...config, metadata: { 'pathpool-identity': 'another' } });
    await until(log, () => log.isAvailable && log.hasForeign);
    const message = /not complete: its identity is another instead of/;
    await assert.rejects(texts(log, 1), { code: 'data-damaged', message });
    await assert.rejects(log.append(records(1, 'one')), { code: 'writes-disabled' });
  });

  it('is given up by a running process if an older copy of its stream is restored', async (context) => {
    const settings = servers.settings();
    const log = await openTestLog(context, settings);
    for (const commit of [1, 2, 3]) await log.append(records(commit, 'text'));
    const now = performance.now.bind(performance);
    let ahead = 0;
    context.mock.method(performance, 'now', () => now() + ahead);
    await damage(settings, 3, 'end');
    while (!log.hasForeign) {
      await sleep(100);
      // It lasts longer than elections do.
      ahead += 20_000;
    }
    const message = /ends at message 2, but this process knows message 4: .*an older copy was restored/;
    await assert.rejects(texts(log, 4), { code: 'data-damaged', message });
    await assert.rejects(log.append(records(4, 'four')), { code: 'writes-disabled' });
  });

  it('goes on if two elections, hours apart, hide its end for a moment', async (context) => {
    const settings = servers.settings();
    const now = performance.now.bind(performance);
    let ahead = 0;
    context.mock.method(performance, 'now', () => now() + ahead);
    let connection: NatsConnection | undefined;
    const hidden: (() => void)[] = [];
    /** Ends a consumer, and resolves when the end of the log has been compared. */
    const elect = async () => {
      const compared = [1, 2].map(() => new Promise<void>((resolve) => hidden.push(resolve)));
      await connection!.reconnect();
      await Promise.all(compared);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const change = ({ streams }: JetStreamManager, ofLog: NatsConnection) => {
      connection = ofLog;
      const info = streams.info.bind(streams);
      context.mock.method(streams, 'info', async (...request: Parameters<typeof info>) => {
        const found = await info(...request);
        const isHidden = hidden.shift();
        if (!isHidden) return found;
        setImmediate(isHidden);
        return { ...found, state: { ...found.state, last_seq: 2 } };
      });
    };
    const log = await openOver(context, settings, { change });
    await log.replay(1, () => {});
    for (const commit of [1, 2]) await log.append(records(commit, 'text'));
    await elect();
    await log.append(records(3, 'between'));
    ahead = 3 * 3_600_000;
    await elect();
    assert.equal(await log.append(records(4, 'four')), 'committed');
  });

  it('is reported as unavailable if no server can be reached', async () => {
    const settings = servers.settings({ servers: ['127.0.0.1:1'] });
    await assert.rejects(openSharedLog(settings, { newIdentity: newIdentity(1) }), { code: 'unavailable' });
  });
});

describe('a shared log with checkpoints', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  it('keeps what follows the checkpoint before the newest, for slow processes', async (context) => {
    const settings = servers.settings();
    const [writer, slow] = [await openTestLog(context, settings), await openTestLog(context, settings)];
    for (const checkpoint of [2, 4, 6]) {
      await writer.append(records(checkpoint - 1, 'one'));
      await writer.append(records(checkpoint, 'two'));
      await writer.beginCheckpoint();
      await writer.checkpointed(checkpoint);
      if (checkpoint === 4) await texts(slow, 4);
    }
    assert.equal((await texts(slow, 6)).length, 2);
    const late = await openUnread(context, settings);
    await assert.rejects(replayed(late), { code: 'data-damaged', details: { sequence: 1, case: 'purged' } });
    late.startAt(writer.positionOf(6)!);
    await late.replay(7, () => assert.fail());
    assert.equal(await late.append(records(7, 'goes on')), 'committed');
    assert.equal((await texts(writer, 7))[0]?.text, 'goes on');
  });

  it('is read anew from a newer checkpoint by a process that was overtaken while it read', async (context) => {
    const settings = servers.settings();
    const writer = await openTestLog(context, settings);
    // More than a process reads ahead.
    const large = 'x'.repeat(500_000);
    await writer.append(records(1, 'small'));
    for (const first of [2, 42, 82]) await writer.append(records(first, ...Array(40).fill(large)));
    const late = await openUnread(context, settings);
    const overtake = async () => {
      for (const commit of [121, 122]) {
        await writer.beginCheckpoint();
        await writer.checkpointed(commit);
        await writer.append(records(commit + 1, 'small'));
      }
    };
    const reading = late.replay(1, (sequence) => (sequence === 1 ? overtake() : undefined));
    await assert.rejects(reading, { code: 'data-damaged', message: /no longer has/ });
    late.startAt(writer.positionOf(122)!);
    const seen: number[] = [];
    await late.replay(123, (sequence) => seen.push(sequence));
    assert.deepEqual(seen, [123]);
    assert.equal(await late.append(records(124, 'goes on')), 'committed');
  });

  it('continues the numbers of data that were imported', async (context) => {
    const settings = servers.settings();
    const newLog = { newIdentity: newIdentity(1), newCommit: 41 };
    const log = await openSharedLog(settings, newLog);
    context.after(() => log.close());
    assert.equal(log.position.commit, 41);
    await log.replay(42, () => assert.fail());
    assert.equal(await log.append(records(42, 'next')), 'committed');
  });

  it('ends for a process whose checkpoint is newer than the log', async (context) => {
    const settings = servers.settings();
    const log = await openUnread(context, settings);
    log.startAt({ commit: 9, sequence: 10, hash: 'unknown' });
    await assert.rejects(
      log.replay(10, () => {}),
      { code: 'data-damaged', message: /lost data/ },
    );
  });

  it('rejects the records behind a checkpoint of another history', async (context) => {
    const settings = servers.settings();
    const writer = await openTestLog(context, settings);
    for (const commit of [1, 2]) await writer.append(records(commit, 'text'));
    const log = await openUnread(context, settings);
    log.startAt({ commit: 1, sequence: 2, hash: 'that of another history' });
    await assert.rejects(
      log.replay(2, () => {}),
      { code: 'data-damaged' },
    );
  });
});

describe('a shared log whose server restarts', { skip: withoutNats }, () => {
  it('is unavailable meanwhile, then goes on by itself', async (context) => {
    const servers = await startNatsServers(context);
    const settings = servers.settings();
    const [log, reader] = [await openTestLog(context, settings), await openTestLog(context, settings)];
    await log.append(records(1, 'one'));
    await texts(reader, 1);
    const [node] = servers.nodes;
    await node!.kill();
    await until(log, () => !log.isAvailable);
    await assert.rejects(log.append(records(2, 'never')), { code: 'unavailable' });
    await node!.start();
    await until(log, () => log.isAvailable);
    assert.equal(await log.append(records(2, 'two')), 'committed');
    assert.equal((await texts(reader, 2))[0]?.text, 'two');
  });
});

/** Resolves when a log is in some state, of which it tells. */
async function until(log: Pick<CommitLog, 'watch'>, is: () => boolean): Promise<void> {
  while (!is()) await new Promise<void>((resolve) => log.watch(resolve));
}
