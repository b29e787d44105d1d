import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { bucketNames, openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { NatsBucket } from '../../../src/cluster/objects/nats-bucket.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { piecesOf } from '../../contracts/object-bucket.contract.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';

describe('the buckets of a cluster', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  async function connected(context: TestContext, settings: ClusterSettings): Promise<NatsConnection> {
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    return connection;
  }

  it('are created by several processes at once, and are the same for all', async (context) => {
    const settings = servers.settings();
    const connections = await Promise.all([1, 2, 3].map(() => connected(context, settings)));
    const [first, second, third] = await Promise.all(
      connections.map((connection) => openBuckets(connection, settings)),
    );
    await first!.state.create('key', 'value');
    assert.equal((await second!.state.get('key'))?.string(), 'value');
    await assert.rejects(third!.state.create('key', 'other'));
    const objects = bucketNames(settings.name).objects;
    const [one, other] = await Promise.all(connections.map((each) => NatsBucket.open(each, objects)));
    await one!.put({ name: 'object' }, piecesOf(Buffer.from('bytes')));
    assert.equal((await other!.find('object'))?.bytes, 5);
    await first!.live.put('key', 'value');
    assert.equal((await third!.live.get('key'))?.string(), 'value');
  });

  it('expire in the live bucket alone', async (context) => {
    const settings = servers.settings();
    const connection = await connected(context, settings);
    const buckets = await openBuckets(connection, settings);
    const ages = await Promise.all(
      [buckets.live, buckets.state].map(async (bucket) => (await bucket.status()).ttl),
    );
    assert.deepEqual(ages, [5000, 0]);
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info(`OBJ_${bucketNames(settings.name).objects}`);
    assert.equal(config.max_age, 0);
  });

  it('are refused with the fields that are wrong, and stay as they are', async (context) => {
    const settings = servers.settings();
    const connection = await connected(context, settings);
    const manager = await jetstreamManager(connection);
    const name = `KV_${bucketNames(settings.name).state}`;
    await manager.streams.add({ name, subjects: ['elsewhere'], storage: 'memory' });
    await assert.rejects(
      openBuckets(connection, settings),
      /^AppError: The stream KV_.* not configured as Pathpool needs it: storage is "memory" instead of "file"; .*subjects is \["elsewhere"\] instead of .*nats stream edit/s,
    );
    assert.equal((await manager.streams.info(name)).config.storage, 'memory');
  });

  it('are refused with advice where there are fewer servers than replicas', async (context) => {
    const settings = servers.settings({ replicas: 3 });
    const connection = await connected(context, settings);
    await assert.rejects(openBuckets(connection, settings), /can't be created: .*Three servers/s);
  });
});
