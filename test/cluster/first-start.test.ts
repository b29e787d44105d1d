import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { KvEntries } from '../../src/cluster/membership/kv-entries.ts';
import { sharedSecret } from '../../src/cluster/membership/secret.ts';
import { openBuckets } from '../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../src/cluster/nats/connection.ts';
import { openSharedLog } from '../../src/cluster/nats/open-log.ts';
import type { ClusterSettings } from '../../src/cluster/settings.ts';
import { newIdentity } from '../../src/store/registry/identity.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../support/nats-servers.ts';
import { suiteScope } from '../support/scope.ts';

describe('the first start of several processes at once', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  // With copies, a message waits for its majority: others see neither it nor its absence.
  for (const round of [1, 2, 3, 4]) {
    it(`gives all of them one identity and one secret (${round})`, async (context) => {
      const settings = servers.settings();
      const started = await Promise.all([1, 2, 3, 4].map(() => start(context, settings)));
      assert.equal(new Set(started.map(({ identity }) => identity)).size, 1);
      assert.equal(new Set(started.map(({ secret }) => secret)).size, 1);
    });
  }
});

async function start(context: TestContext, settings: ClusterSettings) {
  const connection = await connectNats(settings, 'test');
  context.after(() => connection.close());
  const { state } = await openBuckets(connection, settings);
  const secret = await sharedSecret(new KvEntries(state));
  const log = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()) });
  context.after(() => log.abandon());
  return { secret, identity: log.identity.name };
}
