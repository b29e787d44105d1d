import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { openLogOver } from '../../../src/cluster/nats/open-log.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openUnread, records } from '../../support/shared-logs.ts';
import { Participant, raceThrough } from './history.ts';

/** Writes go on for this time before a fault, and after it. */
const BUSY_MS = 1500;

describe('a log on three servers, with three processes that write all the time', {
  skip: withoutNats,
}, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  interface Race {
    readonly settings: ClusterSettings;
    readonly participants: readonly Participant[];
    readonly connections: readonly NatsConnection[];
  }

  async function race(context: TestContext): Promise<Race> {
    const settings = servers.settings();
    const participants: Participant[] = [];
    const connections: NatsConnection[] = [];
    for (const name of ['a', 'b', 'c']) {
      const connection = await connectNats(settings, name);
      const log = await openLogOver(connection, settings, { newIdentity: newIdentity(Date.now()) });
      context.after(() => log.close());
      const participant = new Participant(log, name);
      await participant.start();
      connections.push(connection);
      participants.push(participant);
    }
    return { settings, participants, connections };
  }

  /** What happens gets the name of the stream, and the connections of the writers. */
  function survives(
    fault: string,
    happenings: (stream: string, connections: readonly NatsConnection[]) => Promise<void>,
  ): void {
    it(`loses and doubles nothing: ${fault}`, { timeout: 180_000 }, async (context) => {
      const { settings, participants, connections } = await race(context as TestContext);
      const openFresh = (): Promise<JetStreamLog> => openUnread(context as TestContext, settings);
      const count = await raceThrough(participants, openFresh, async () => {
        await sleep(BUSY_MS);
        await happenings(settings.name, connections);
        await untilWrites(participants);
        await sleep(BUSY_MS);
      });
      context.diagnostic(`${count} acknowledged`);
    });
  }

  /** Resolves when one more record is acknowledged. */
  async function untilWrites(participants: readonly Participant[]): Promise<void> {
    const newest = () => Math.max(...participants.map(({ log }) => log.lastSequence));
    for (const start = newest(); newest() <= start + 3; ) await sleep(50);
  }

  survives('nothing happens', async () => {});

  survives('kill -9 of the leader', async (stream) => {
    const leader = await servers.leaderOf(stream);
    await leader.kill();
    await sleep(8000);
    await leader.start();
    await servers.untilHealthy();
  });

  survives('kill -9 of two servers', async (stream) => {
    const leader = await servers.leaderOf(stream);
    const other = servers.nodes.find((node) => node !== leader)!;
    await Promise.all([leader.kill(), other.kill()]);
    await sleep(4000);
    await Promise.all([leader.start(), other.start()]);
    await servers.untilHealthy();
  });

  survives('kill -9 of all servers', async () => {
    await servers.kill();
    await Promise.all(servers.nodes.map((node) => node.start()));
    await servers.untilHealthy();
  });

  survives('the leader stops for a while', async (stream) => {
    const leader = await servers.leaderOf(stream);
    leader.pause();
    await sleep(12_000);
    leader.resume();
    await servers.untilHealthy();
  });

  survives('a server loses its disk', async (stream) => {
    const leader = await servers.leaderOf(stream);
    await leader.kill();
    await leader.wipe();
    await leader.start();
    await servers.untilHealthy();
  });

  survives('connections break again and again', async (_stream, connections) => {
    for (let round = 0; round < 30; round++) {
      await connections[round % 3]!.reconnect();
      await sleep(200);
    }
  });
});

describe('an append on three servers', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  it('that gets no answer is settled, and the log is unavailable until then', async (context) => {
    const settings = servers.settings();
    const log = await openUnread(context, settings);
    await log.replay(1, () => {});
    await log.append(records(1, 'first'));
    const leader = await servers.leaderOf(settings.name);
    const availability: boolean[] = [];
    log.watch(() => availability.push(log.isAvailable));
    leader.pause();
    const outcome = await log.append(records(2, 'in doubt')).catch((error: unknown) => error);
    leader.resume();
    assert.equal(outcome, 'committed');
    assert.equal(availability[0], false);
    while (!log.isAvailable) await sleep(50);
    assert.equal(await log.append(records(3, 'next')), 'committed');
    const seen: string[] = [];
    const fresh = await openUnread(context, settings);
    await fresh.replay(1, (_sequence, payload) => seen.push(Buffer.from(payload).toString()));
    assert.deepEqual(seen, ['first', 'in doubt', 'next']);
  });

  it('is rejected while there is no majority, and accepted again without a restart', async (context) => {
    const settings = servers.settings();
    const log = await openUnread(context, settings);
    await log.replay(1, () => {});
    await log.append(records(1, 'first'));
    const [one, two, three] = servers.nodes;
    await Promise.all([one!.kill(), two!.kill(), three!.kill()]);
    while (log.isAvailable) await sleep(50);
    await assert.rejects(log.append(records(2, 'never')), { code: 'unavailable' });
    await Promise.all(servers.nodes.map((node) => node.start()));
    while (!log.isAvailable) await sleep(50);
    let outcome: string | undefined;
    while (outcome === undefined) {
      outcome = await log.append(records(2, 'second')).catch(() => undefined);
      await sleep(50);
    }
    assert.equal(outcome, 'committed');
  });
});
