import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const URL = 'nats://h1,h2:4333/catalogue';
const place = { servers: ['h1:4222', 'h2:4333'], name: 'catalogue', tls: false };

/** What a command line asks for; of a cluster only where it is, and how to log in. */
function requestOf(args: readonly string[], environment: Record<string, string> = {}) {
  const request = readCommandLine(args, environment);
  if (!('cluster' in request)) return request;
  const { servers, name, tls, user, password, credentialsFile, replicas } = request.cluster;
  return { ...request, cluster: { servers, name, tls, user, password, credentialsFile, replicas } };
}

const nothing = { user: undefined, password: undefined, credentialsFile: undefined, replicas: 3 };
const cluster = { ...place, ...nothing };

test('commands take the URL of a shared journal in the place of a data directory', () => {
  assert.deepEqual(requestOf(['inspect', URL]), { kind: 'inspect-cluster', cluster });
  assert.deepEqual(requestOf(['check', URL]), { kind: 'check-cluster', cluster });
  assert.deepEqual(requestOf(['backup', URL, 't']), { kind: 'backup-cluster', cluster, target: 't' });
  const request = requestOf(['import', 'dir', URL, '--cluster-replicas', '1']);
  assert.deepEqual(request, { kind: 'import', directory: 'dir', cluster: { ...cluster, replicas: 1 } });
  const secure = requestOf(['check', 'tls://h1/catalogue']);
  assert.ok('cluster' in secure && secure.cluster.tls);
});

test('commands log in to the log servers as the server does', async (context) => {
  const secrets = { PATHPOOL_NATS_USER: 'u', PATHPOOL_NATS_PASSWORD: 'p' };
  const expected = { ...cluster, user: 'u', password: 'p' };
  assert.deepEqual(requestOf(['check', URL], secrets), { kind: 'check-cluster', cluster: expected });
  const file = join(await temporaryDirectory(context), 'a.creds');
  const withFile = requestOf(['inspect', URL, '--nats-credentials', file]);
  assert.deepEqual(withFile, { kind: 'inspect-cluster', cluster: { ...cluster, credentialsFile: file } });
});

test('with a config file that names a shared journal, the URL is left out', async (context) => {
  const file = join(await temporaryDirectory(context), 'config.json');
  await writeFile(file, JSON.stringify({ journal: URL, base: 'http://example.org', 'cluster-replicas': 1 }));
  const found = { ...cluster, replicas: 1 };
  assert.deepEqual(requestOf(['check', '--config', file]), { kind: 'check-cluster', cluster: found });
  const backup = requestOf(['backup', 't', '--config', file]);
  assert.deepEqual(backup, { kind: 'backup-cluster', cluster: found, target: 't' });
  const imported = requestOf(['import', 'dir', '--config', file]);
  assert.deepEqual(imported, { kind: 'import', directory: 'dir', cluster: found });
});

for (const [args, words] of [
  [['inspect', URL, '--record', '7'], /--record needs a data directory/],
  [['export', URL], /a data directory is needed: make one with pathpool backup/],
  [['load', URL, 'a.nq'], /a data directory is needed/],
  [['backup', URL], /missing required argument 'TARGET'/],
  [['import', 'dir'], /missing required argument 'URL'/],
  [['import'], /missing required argument 'DIRECTORY'/],
  [['import', 'dir', URL, 'more'], /too many arguments/],
  [['import', 'dir', 'elsewhere'], /expected nats:/],
  [['check', 'http://h1/catalogue'], /expected nats:/],
  [['check', 'nats://h1'], /expected a name/],
  [['check', 'nats://u:secret@h1/catalogue'], /must not contain credentials: use --nats-credentials/],
] as const) {
  test(`${args.join(' ')} is rejected, and no secret shown`, () => {
    const request = readCommandLine(args, {});
    assert.ok(request.kind === 'exit');
    assert.equal(request.status, 2);
    assert.match(request.text, words);
    assert.doesNotMatch(request.text, /secret/);
    assert.equal(request.text.trimEnd().split('\n').length, 1);
  });
}
