import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KvEntries } from '../../../src/cluster/membership/kv-entries.ts';
import { Membership } from '../../../src/cluster/membership/own-membership.ts';
import { openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { openTestLog, records } from '../../support/shared-logs.ts';

it('a process whose credentials are revoked for a while gets its log and the lease back', {
  skip: withoutNats,
}, async (context) => {
  const servers = await startNatsServers(context);
  const node = servers.nodes[0]!;
  const requirePassword = async (password: string) => {
    node.password = password;
    await node.restart();
    await node.untilHealthy();
  };
  await requirePassword('right');
  const settings = servers.settings({ user: 'test', password: 'right' });
  const log = await openTestLog(context, settings);
  const connection = await connectNats(settings, 'members');
  context.after(() => connection.close());
  const { live } = await openBuckets(connection, settings);
  const membership = new Membership({
    entries: new KvEntries(live),
    own: { process: 'a', url: 'http://a.example' },
    commit: () => log.lastSequence,
    isFit: () => log.isAvailable,
    catchUp: async () => true,
    onVainAttempt: () => {},
    onLease: () => {},
    onNamesake: () => assert.fail(),
    onElsewhere: () => {},
  });
  context.after(() => membership.leave());
  await membership.join();
  const isWell = () => membership.holdsLease && membership.isConnected && log.isAvailable;
  while (!isWell()) await sleep(50);
  assert.equal(await log.append(records(1, 'before')), 'committed');

  await requirePassword('another');
  while (membership.holdsLease || membership.isConnected || log.isAvailable) await sleep(50);
  await assert.rejects(log.append(records(2, 'never')), { code: 'unavailable' });

  await requirePassword('right');
  while (!isWell()) await sleep(50);
  assert.equal(await log.append(records(2, 'after')), 'committed');
});
