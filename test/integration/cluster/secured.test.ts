import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { Authority, type Certificate, withoutOpenssl } from '../../support/certificates.ts';
import { LOG } from '../../support/cluster.ts';
import { NatsAccount } from '../../support/nats-accounts.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { runPathpool, type ServerProcess, startServer } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const timeout = 120_000;

describe('a cluster with TLS and a credentials file', { skip: withoutNats || withoutOpenssl }, () => {
  const scope = suiteScope();
  const account = new NatsAccount();
  let authority: Authority;
  let own: Certificate;
  let servers: NatsServers;
  let credentials: string;
  let journal: string;

  before(async () => {
    const directory = await temporaryDirectory(scope);
    authority = new Authority(directory);
    own = authority.issue('IP:127.0.0.1');
    credentials = join(directory, 'nats.creds');
    await writeFile(credentials, account.credentials());
    const tls = `tls { cert_file: "${own.certificate}", key_file: "${own.key}" }`;
    servers = await startNatsServers(scope, 1, [tls, ...account.configuration]);
    journal = servers.journal(LOG).replace('nats:', 'tls:');
  });

  const access = () => ['--nats-credentials', credentials, '--nats-ca', authority.file];

  /** A process that speaks https. `trust`: whether it knows the authority of the others. */
  async function start(name: string, trust = true): Promise<ServerProcess> {
    const data = await temporaryDirectory(scope);
    const tls = ['--tls-cert', own.certificate, '--tls-key', own.key];
    const log = ['--journal', journal, '--cluster-replicas', '1', ...access()];
    const args = ['--process', name, '--data', data, '--threads', '1', ...log, ...tls];
    return startServer(scope, args, trust ? { NODE_EXTRA_CA_CERTS: authority.file } : {});
  }

  async function write({ url }: ServerProcess, graph: string) {
    const headers = { 'Content-Type': 'application/n-triples' };
    const options = { method: 'PUT', headers, rejectUnauthorized: false };
    const sent = request(`${url}/context?graph=${graph}`, options).end('<urn:x:s> <urn:x:p> "1" .');
    const [response] = await once(sent, 'response');
    return { status: response.statusCode as number, body: await text(response) };
  }

  it('is written to through both processes, one of which forwards over https', { timeout }, async () => {
    const [first, second] = [await start('p1'), await start('p2')];
    for (const [index, process] of [first, second].entries()) {
      const { status, body } = await write(process, `urn:x:${index}`);
      assert.equal(status, 201, body);
    }
    const stranger = await start('p3', false);
    const { status, body } = await write(stranger, 'urn:x:refused');
    assert.equal(status, 503);
    assert.match(body, /p1, which holds the lease, can't be reached \(.*certificate/);
    assert.match(stranger.errors, /"event":"process-unreachable".*NODE_EXTRA_CA_CERTS/);
    for (const process of [first, second, stranger]) await process.end('SIGTERM');
  });

  it('is read by commands with the same settings', async () => {
    const inspected = await runPathpool(['inspect', journal, ...access()]);
    assert.equal(inspected.status, 0, inspected.err);
  });

  it('refuses a secret in the URL, without repeating it', async () => {
    for (const secret of ['anna:topsecret', 'topsecret']) {
      const url = journal.replace('tls://', `tls://${secret}@`);
      for (const args of [
        ['--journal', url],
        ['inspect', url],
        ['import', '/nowhere', url],
      ]) {
        const { status, out, err } = await runPathpool(args);
        assert.equal(status, 2);
        assert.match(err, /must not contain credentials: use --nats-credentials/);
        assert.doesNotMatch(out + err, /topsecret/);
      }
    }
  });

  it('is not opened with wrong credentials, which nothing shows', async () => {
    const data = await temporaryDirectory(scope);
    const wrong = { PATHPOOL_NATS_USER: 'anna', PATHPOOL_NATS_PASSWORD: 'topsecret' };
    const log = ['--journal', journal, '--cluster-replicas', '1', '--nats-ca', authority.file];
    const served = await runPathpool(
      ['--port', '0', '--base', 'http://a.test', '--data', data, ...log],
      wrong,
    );
    const inspected = await runPathpool(['inspect', journal, '--nats-ca', authority.file], wrong);
    for (const { status, out, err } of [served, inspected]) {
      assert.equal(status, 2);
      assert.match(err, /Can't connect to the log servers .* PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD/);
      assert.doesNotMatch(out + err, /topsecret/);
    }
  });
});
