import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { type Config, fillConfig } from '../../src/config.ts';
import {
  addressWarning,
  clusterSettings,
  newProcessName,
  ownUrl,
} from '../../src/startup/cluster-settings.ts';

const journal = { servers: ['h1:4222'], name: 'a', tls: false };
const given = { journal, base: 'http://data.example' };

function settingsOf(changes: Partial<Config>) {
  return clusterSettings(fillConfig({ ...given, ...changes }));
}

describe('the settings of a cluster', () => {
  it('are none without a shared journal', () => {
    assert.equal(clusterSettings(fillConfig({})), undefined);
  });

  it('have the journal, the name of the process, and how to log in', () => {
    const settings = settingsOf({ process: 'h1', natsUser: 'anna', natsPassword: 'x', clusterReplicas: 1 });
    assert.equal(settings?.name, 'a');
    assert.equal(settings?.process, 'h1');
    assert.equal(settings?.replicas, 1);
    assert.deepEqual([settings?.user, settings?.password], ['anna', 'x']);
  });

  it('are refused if they contradict one another', () => {
    const wrong: [Partial<Config>, RegExp][] = [
      [{ memory: true }, /--memory exclude one another/],
      [{ base: undefined }, /needs --base/],
      [{ natsUser: 'a' }, /given together/],
      [{ natsToken: 'a', natsCredentials: 'b' }, /only one/],
      [{ natsCa: 'ca.pem' }, /tls:\/\//],
      [{ natsKey: 'key.pem', journal: { ...journal, tls: true } }, /given together/],
    ];
    for (const [changes, message] of wrong) assert.throws(() => settingsOf(changes), message);
    assert.throws(() => clusterSettings(fillConfig({ process: 'h1' })), /--process needs --journal/);
  });

  it('are doubted if other machines cannot reach the address of this process', () => {
    const other = { process: 'p2', host: 'h2' };
    for (const url of ['http://127.0.0.1:8080', 'https://localhost:1', 'http://[::1]:1']) {
      assert.match(
        addressWarning(url, other) ?? '',
        /such as h2 with the process p2: give --host or --cluster-url/,
      );
    }
    assert.equal(addressWarning('http://10.0.0.1:8080', other), undefined);
  });

  it('name a process after its machine, and differently each time', () => {
    assert.match(newProcessName('Node 1.example'), /^Node-1-example-[a-z]{4}$/);
    const names = new Set(Array.from({ length: 20 }, () => newProcessName('h')));
    assert.ok(names.size > 15);
  });

  it('have an address for the others, which must be given if the process listens on all', () => {
    assert.equal(ownUrl(fillConfig({ clusterUrl: 'http://h1:80' }), 'http://0.0.0.0:8080'), 'http://h1:80');
    assert.equal(ownUrl(fillConfig({ host: '10.0.0.1' }), 'http://10.0.0.1:8080'), 'http://10.0.0.1:8080');
    for (const host of ['0.0.0.0', '::']) {
      assert.throws(() => ownUrl(fillConfig({ host }), 'http://x:8080'), /--cluster-url/);
    }
  });
});

describe('a secret for the log servers', () => {
  const refusalOf = (args: readonly string[], environment = {}) => {
    const request = readCommandLine(args, environment);
    return request.kind === 'exit' ? request.text : assert.fail();
  };

  it('is taken from the environment, and refused as a flag, without being repeated', () => {
    const request = readCommandLine([], { PATHPOOL_NATS_PASSWORD: 'x y' });
    assert.equal(request.kind === 'serve' && request.config.natsPassword, 'x y');
    const refused = refusalOf(['--journal', 'nats://a:hidden@h1/a']);
    assert.match(refused, /--journal is invalid/);
    assert.doesNotMatch(refused, /hidden/);
    const variable = refusalOf([], { PATHPOOL_JOURNAL: 'nats://a:hidden@h1/a' });
    assert.match(variable, /PATHPOOL_JOURNAL is invalid/);
    assert.doesNotMatch(variable, /hidden/);
    const flag = refusalOf(['--nats-password', 'hidden']);
    assert.match(flag, /PATHPOOL_NATS_PASSWORD in the environment/);
    assert.doesNotMatch(flag, /hidden/);
  });
});
