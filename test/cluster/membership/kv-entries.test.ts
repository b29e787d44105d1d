import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KvEntries } from '../../../src/cluster/membership/kv-entries.ts';
import { Membership } from '../../../src/cluster/membership/own-membership.ts';
import { sharedSecret } from '../../../src/cluster/membership/secret.ts';
import { openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';

const PATIENCE_MS = 60_000;

describe('entries of a real log server', { skip: withoutNats }, async () => {
  if (withoutNats) return;
  const servers = await startNatsServers(suiteScope());

  async function open(scope: Scope) {
    const settings = servers.settings();
    const connection = await connectNats(settings, 'test');
    scope.after(() => connection.close());
    const { live, state } = await openBuckets(connection, settings);
    return { live: new KvEntries(live), state: new KvEntries(state) };
  }

  function memberOf(scope: Scope, live: KvEntries, name: string) {
    let wake = () => {};
    const leases: boolean[] = [];
    const membership = new Membership({
      entries: live,
      own: { process: name, url: `http://${name}` },
      commit: () => 7,
      isFit: () => true,
      onNamesake: () => assert.fail('another process has the name'),
      onElsewhere: () => assert.fail('another process is on another machine'),
      catchUp: async () => true,
      onVainAttempt: () => {},
      onLease: (isHeld) => {
        leases.push(isHeld);
        wake();
      },
    });
    scope.after(() => membership.leave());
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    return { membership, leases, next };
  }

  it('are created once, changed only in their newest form, and removed', async (context) => {
    const { state } = await open(context);
    const revision = await state.create('a', 'x');
    assert.ok(revision !== undefined);
    assert.equal(await state.create('a', 'y'), undefined);
    assert.deepEqual(await state.get('a'), { key: 'a', value: 'x', revision });
    const next = await state.update({ key: 'a', value: 'y', revision });
    assert.ok(next !== undefined);
    assert.equal(await state.update({ key: 'a', value: 'z', revision }), undefined);
    await state.remove('a', revision);
    assert.equal((await state.get('a'))?.value, 'y');
    await state.remove('a', next);
    assert.equal(await state.get('a'), undefined);
    assert.ok((await state.create('a', 'again')) !== undefined);
  });

  it('hold one secret for all', async (context) => {
    const { state } = await open(context);
    const secrets = await Promise.all([1, 2, 3].map(() => sharedSecret(state)));
    assert.equal(new Set(secrets).size, 1);
  });

  it('give one process the lease, and another one after it has left', async (context) => {
    const { live } = await open(context);
    const [a, b] = [memberOf(context, live, 'a'), memberOf(context, live, 'b')];
    await a.membership.join();
    await b.membership.join();
    assert.equal(a.membership.holdsLease, true);
    assert.deepEqual(b.membership.holder, { process: 'a', url: 'http://a' });
    const end = Date.now() + PATIENCE_MS;
    while (b.membership.members.length < 2 && Date.now() < end) await b.membership.change(100);
    assert.deepEqual(
      b.membership.members.map(({ process, commit }) => [process, commit]),
      [
        ['a', 7],
        ['b', 7],
      ],
    );
    assert.equal(b.membership.isConnected, true);
    const taken = b.next();
    await a.membership.leave();
    await taken;
    assert.equal(b.membership.holdsLease, true);
    assert.deepEqual(a.leases, [true, false]);
  });
});
