import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { describeSharedLog } from '../../contracts/commit-log.contract.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openOver, openTestLog, records, texts } from '../../support/shared-logs.ts';
import { jetStreamSubject } from './jetstream-log-contract.ts';

describe('a log in JetStream', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  /** Handles of several processes on one new log. */
  async function handles(context: TestContext, count: number): Promise<JetStreamLog[]> {
    const settings = servers.settings();
    return Promise.all(Array.from({ length: count }, () => openTestLog(context, settings)));
  }

  it('is created once by processes that start together', async (context) => {
    const logs = await handles(context, 3);
    assert.equal(new Set(logs.map(({ identity }) => identity.name)).size, 1);
    assert.equal(new Set(logs.map(({ position }) => position.hash)).size, 1);
  });

  it('is begun and read though a log server does not know its new stream yet', async (context) => {
    const settings = servers.settings();
    let hidden = 0;
    const change = ({ streams }: JetStreamManager) => {
      const info = streams.info.bind(streams);
      let isCreated = false;
      context.mock.method(streams, 'info', async (...request: Parameters<typeof info>) => {
        const found = await info(...request);
        // Each second request meets the server that knows the stream.
        const isHidden = request[0] === settings.name && isCreated && hidden++ % 2 === 0;
        isCreated ||= request[0] === settings.name;
        if (isHidden) throw new JetStreamApiError({ code: 404, err_code: 10059, description: 'not found' });
        return found;
      });
      const add = streams.add.bind(streams);
      context.mock.method(streams, 'add', async (...request: Parameters<typeof add>) => {
        const added = await add(...request);
        isCreated ||= request[0].name === settings.name;
        return added;
      });
    };
    const log = await openOver(context, settings, { change });
    await log.replay(1, () => assert.fail());
    assert.ok(hidden > 1);
    assert.equal(await log.append(records(1, 'one')), 'committed');
  });

  it('gives each process the records of the others in order', async (context) => {
    const [writer, reader] = await handles(context, 2);
    for (let commit = 1; commit <= 20; commit++) {
      assert.equal(await writer!.append(records(commit, `text ${commit}`), `state-${commit}`), 'committed');
    }
    const seen = await texts(reader!, 20);
    assert.deepEqual(seen[4], { sequence: 5, text: 'text 5', state: 'state-5' });
    assert.deepEqual(
      seen.map(({ sequence }) => sequence),
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    assert.deepEqual(reader!.position, writer!.position);
    assert.equal(writer!.hasForeign, false);
  });

  it('wakes for a record after one that arrived while others were received', async (context) => {
    const [writer, reader] = await handles(context, 2);
    const woken: (() => void)[] = [];
    reader!.watch(() => woken.shift()?.());
    const nextWake = () => new Promise<void>((resolve) => woken.push(resolve));
    const first = nextWake();
    await writer!.append(records(1, 'one'));
    await first;
    const during = nextWake();
    await reader!.receive(async (sequence) => {
      if (sequence > 1) return;
      // It has been dealt with when `receive` ends.
      await Promise.all([during, writer!.append(records(2, 'two'))]);
    });
    assert.equal(reader!.lastSequence, 2);
    const after = nextWake();
    await writer!.append(records(3, 'three'));
    await after;
  });

  it('accepts one of two racing groups, and the other after it has received that', async (context) => {
    const logs = await handles(context, 2);
    const outcomes = await Promise.all(logs.map((log, index) => log.append(records(1, `by ${index}`))));
    assert.deepEqual([...outcomes].sort(), ['committed', 'conflict']);
    const loser = logs[outcomes.indexOf('conflict')]!;
    const winner = outcomes.indexOf('committed');
    assert.deepEqual((await texts(loser, 1))[0]?.text, `by ${winner}`);
    assert.equal(await loser.append(records(2, 'again')), 'committed');
    assert.equal((await texts(logs[winner]!, 2)).at(-1)?.text, 'again');
  });

  it('keeps a group of several records together, with a digest at the first', async (context) => {
    const [writer, reader] = await handles(context, 2);
    await writer!.append(records(1, 'one', 'two', ''), 'digest');
    assert.deepEqual(await texts(reader!, 3), [
      { sequence: 1, text: 'one', state: 'digest' },
      { sequence: 2, text: 'two', state: undefined },
      { sequence: 3, text: '', state: undefined },
    ]);
  });

  it('counts the bytes behind a checkpoint of another process when it knows of that', async (context) => {
    const [writer, reader] = await handles(context, 2);
    const large = 'x'.repeat(600_000);
    for (let commit = 1; commit <= 10; commit++) {
      await writer!.append(records(commit, large));
      if (commit === 8) await writer!.beginCheckpoint();
    }
    await writer!.checkpointed(8);
    await texts(reader!, 10);
    assert.equal(reader!.bytes, 10 * large.length);
    const place = writer!.positionOf(8)!;
    reader!.noteCheckpoint(place);
    assert.ok(reader!.bytes >= 2 * large.length && reader!.bytes <= 4 * large.length, `${reader!.bytes}`);
    // The next one of this process has it as the one before.
    assert.deepEqual(reader!.positionOf(8), place);
    reader!.noteCheckpoint(reader!.start!);
    assert.deepEqual(reader!.positionOf(8), place);
  });

  it('removes nothing for a checkpoint at the place of that of another process', async (context) => {
    const settings = servers.settings();
    const [writer, next] = [await openTestLog(context, settings), await openTestLog(context, settings)];
    await writer.append(records(1, 'one', 'two'));
    await texts(next, 2);
    next.noteCheckpoint(writer.position);
    await next.beginCheckpoint();
    await next.checkpointed(2);
    assert.equal((await openTestLog(context, settings)).lastSequence, 2);
    await next.append(records(3, 'three'));
    await next.beginCheckpoint();
    await next.checkpointed(3);
    await assert.rejects(openTestLog(context, settings), { details: { sequence: 1, case: 'purged' } });
  });

  it('writes a group of several megabytes as one batch, or not at all', async (context) => {
    const [writer, reader] = await handles(context, 2);
    const large = 'x'.repeat(1_300_000);
    assert.equal(await writer!.append(records(1, large, 'small', large)), 'committed');
    assert.equal(writer!.position.sequence, 1 + 5);
    assert.equal(await reader!.append(records(1, large)), 'conflict');
    const seen = await texts(reader!, 3);
    assert.deepEqual(
      seen.map(({ text }) => text.length),
      [large.length, 5, large.length],
    );
    assert.equal(reader!.lastSequence, 3);
  });
});

describe('what every log must do', () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    if (!withoutNats) servers = await startNatsServers(scope);
  });

  describeSharedLog({
    name: 'a log in JetStream',
    start: async (test) => jetStreamSubject(servers, test),
    skip: withoutNats || undefined,
  });
});
