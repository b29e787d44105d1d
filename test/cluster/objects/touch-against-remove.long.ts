import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bucketNames, openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { NatsBucket, patientTimes } from '../../../src/cluster/objects/nats-bucket.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { piecesOf } from '../../contracts/object-bucket.contract.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';

/** A leader without followers gives up after some seconds; until then it takes changes in. */
const HOLD_MS = 1000;

describe('objects on three log servers', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  /** A bucket, through a connection to its leader, and the other servers. */
  async function open() {
    const settings = servers.settings();
    const { objects } = bucketNames(settings.name);
    const connect = async (changes: Partial<ClusterSettings>) => {
      const connection = await connectNats({ ...settings, ...changes }, 'test');
      scope.after(() => connection.close());
      return connection;
    };
    await openBuckets(await connect({}), settings);
    const leader = await servers.leaderOf(`OBJ_${objects}`);
    const connection = await connect({ servers: [leader.address] });
    const bucket = await NatsBucket.open(connection, objects, patientTimes);
    return { bucket, followers: servers.nodes.filter((node) => node !== leader) };
  }

  for (const names of [
    ['remove', 'touch'],
    ['touch', 'remove'],
  ] as const) {
    it(`lets ${names[0]} or ${names[1]} win while both wait for a majority`, {
      timeout: 60_000,
    }, async () => {
      const { bucket, followers } = await open();
      // Without pieces, both begin with the change of the entry.
      const object = await bucket.put({ name: 'a' }, piecesOf(Buffer.alloc(0)));
      const changes = names.map((name) => () => bucket[name](object));
      for (const each of followers) each.pause();
      const running: Promise<boolean>[] = [];
      for (const change of changes) {
        running.push(change());
        await sleep(HOLD_MS);
      }
      for (const each of followers) each.resume();
      const won = await Promise.all(running);
      assert.equal(won.filter(Boolean).length, 1);
      const isTouched = won[names.indexOf('touch')]!;
      assert.equal((await bucket.find('a')) !== undefined, isTouched);
    });
  }
});
