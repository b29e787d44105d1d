import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { subjectOf } from '../../../src/cluster/nats/genesis.ts';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { openSharedLog } from '../../../src/cluster/nats/open-log.ts';
import { streamManager } from '../../../src/cluster/nats/streams.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openOver, openTestLog, openUnread, records, replayed, texts } from '../../support/shared-logs.ts';
import { damage } from './jetstream-log-contract.ts';

describe('messages that other programs publish to a log', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  async function connected(context: TestContext, settings: ClusterSettings) {
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    const publish = async (text: string, fields?: Record<string, string>) => {
      const set = headers();
      for (const [name, value] of Object.entries(fields ?? {})) set.set(name, value);
      await connection.request(subjectOf(settings.name), text, { headers: set, timeout: 2000 });
    };
    return { connection, publish };
  }

  it('are passed over by all processes, which say so once', async (context) => {
    const settings = servers.settings();
    const { publish } = await connected(context, settings);
    const writer = await openTestLog(context, settings);
    const notices: string[] = [];
    const notice = (message: string) => notices.push(message);
    const reader = await openSharedLog(settings, { newIdentity: newIdentity(1), notice });
    context.after(() => reader.close());
    await reader.replay(1, () => {});
    await writer.append(records(1, 'one'));
    for (const text of ['hello', 'again', 'and again']) await publish(text);
    while ((await writer.append(records(2, 'two'), 'state')) === 'conflict') await writer.receive(() => {});
    await publish('at the end');
    const seen = [
      { sequence: 1, text: 'one', state: '' },
      { sequence: 2, text: 'two', state: 'state' },
    ];
    assert.deepEqual(await texts(reader, 2), seen);
    const fresh = await openUnread(context, settings);
    assert.deepEqual(await replayed(fresh), seen);
    assert.deepEqual(fresh.position, writer.position);
    assert.equal(await fresh.append(records(3, 'three')), 'committed');
    assert.equal((await texts(reader, 3))[0]?.text, 'three');
    assert.deepEqual(notices, [
      `Message 3 of ${settings.name} was published by another program. Such messages are ignored. Only Pathpool may publish to ${settings.name}.log.`,
    ]);
  });

  it('are no part of the place that a checkpoint covers', async (context) => {
    const settings = servers.settings();
    const { publish } = await connected(context, settings);
    const writer = await openTestLog(context, settings);
    for (const commit of [1, 2]) {
      while ((await writer.append(records(commit, 'text'))) === 'conflict') await writer.receive(() => {});
      await publish('behind it');
      while ((await writer.append([])) === 'conflict') await writer.receive(() => {});
      await writer.beginCheckpoint();
      await writer.checkpointed(commit);
    }
    const place = writer.positionOf(2)!;
    assert.deepEqual(place, writer.position);
    const late = await openUnread(context, settings);
    late.startAt(place);
    await late.replay(3, () => assert.fail());
    assert.equal(await late.append(records(3, 'next')), 'committed');
  });

  it('stop a process if they have some headers of Pathpool', async (context) => {
    const settings = servers.settings();
    const { publish } = await connected(context, settings);
    const log = await openTestLog(context, settings);
    await publish('what is this?', { 'Pathpool-Part': '1/1' });
    await assert.rejects(texts(log, 1), { code: 'data-damaged', message: /Message 2 .*no part of a log/ });
    await assert.rejects(log.append(records(1, 'one')), { code: 'writes-disabled' });
  });

  it('are told from records that have lost their headers by what follows', async (context) => {
    const settings = servers.settings();
    const writer = await openTestLog(context, settings);
    for (const commit of [1, 2, 3]) await writer.append(records(commit, 'text'));
    await writer.close();
    await damage(settings, 3, 'headers');
    const log = await openUnread(context, settings);
    await assert.rejects(replayed(log), { code: 'data-damaged' });
  });

  it('are told from a part in the middle of a group that has lost its headers', async (context) => {
    const settings = servers.settings();
    const writer = await openTestLog(context, settings);
    await writer.append(records(1, 'x'.repeat(1_300_000)));
    await writer.close();
    await damage(settings, 3, 'headers');
    const log = await openUnread(context, settings);
    const message = /Message 3 .*another program/;
    await assert.rejects(replayed(log), { code: 'data-damaged', message });
  });

  it('are told from the last record by another server before anything is appended', async (context) => {
    const settings = servers.settings();
    const { connection } = await connected(context, settings);
    const writer = await openTestLog(context, settings);
    for (const commit of [1, 2]) await writer.append(records(commit, `text ${commit}`));
    await writer.close();
    const manager = await streamManager(connection);
    const original = (await manager.streams.getMessage(settings.name, { seq: 3 }))!;
    await damage(settings, 3, 'headers');
    const notices: string[] = [];
    const log = await logWith(context, settings, original, (message) => notices.push(message));
    assert.deepEqual(
      (await replayed(log)).map(({ text }) => text),
      ['text 1'],
    );
    assert.equal(await log.append(records(2, 'would hide the last record')), 'conflict');
    assert.equal((await texts(log, 2))[0]?.text, 'text 2');
    assert.match(notices.at(-1)!, /has lost or changed message 3/);
  });

  /** A log whose connection leads to a server that has one message as it was written. */
  function logWith(
    context: TestContext,
    settings: ClusterSettings,
    message: StoredMsg,
    notice: (message: string) => void,
  ): Promise<JetStreamLog> {
    const change = ({ direct }: JetStreamManager) => {
      const read = direct.getMessage.bind(direct);
      context.mock.method(direct, 'getMessage', (...[stream, query]: Parameters<typeof read>) =>
        'seq' in query && query.seq === message.seq ? Promise.resolve(message) : read(stream, query),
      );
    };
    return openOver(context, settings, { change, notice });
  }
});
