import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { Authority, withoutOpenssl } from '../../support/certificates.ts';
import { NatsAccount } from '../../support/nats-accounts.ts';
import { startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function assertConnects(settings: ClusterSettings): Promise<void> {
  const connection = await connectNats(settings, 'test');
  await connection.flush();
  await connection.close();
}

/** Asserts that the error says this, and contains no secret. */
async function assertRefused(settings: ClusterSettings, reason: RegExp): Promise<void> {
  await assert.rejects(connectNats(settings, 'test'), (error: Error & { readonly code?: unknown }) => {
    assert.equal(error.code, 'unavailable');
    assert.match(error.message, reason);
    for (const secret of [settings.password, settings.token]) {
      assert.ok(secret === undefined || !JSON.stringify([error.message, error]).includes(secret));
    }
    return true;
  });
}

describe('a connection to log servers', { skip: withoutNats }, () => {
  it('uses a user and a password, and says which setting is wrong', async (context) => {
    const servers = await startNatsServers(context, 1, ['authorization { user: u, password: "right" }']);
    const settings = servers.settings({ user: 'u', password: 'right' });
    await assertConnects(settings);
    await assertRefused(
      { ...settings, password: 'wrong-secret' },
      /servers 127\.0\.0\.1:\d+: they refuse the user and password of PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD/,
    );
    const none = { ...settings, user: undefined, password: undefined };
    await assertRefused(none, /demand credentials: give --nats-credentials, or PATHPOOL_NATS_USER/);
  });

  it('uses a token', async (context) => {
    const servers = await startNatsServers(context, 1, ['authorization { token: "right" }']);
    await assertConnects(servers.settings({ token: 'right' }));
    const refused = /refuse the token of PATHPOOL_NATS_TOKEN/;
    await assertRefused(servers.settings({ token: 'wrong-secret' }), refused);
  });

  it('uses a credentials file, and says what is wrong with it', async (context) => {
    const account = new NatsAccount();
    const servers = await startNatsServers(context, 1, account.configuration);
    const file = join(await temporaryDirectory(context), 'nats.creds');
    const settings = servers.settings({ credentialsFile: file });
    await assertRefused(settings, /--nats-credentials .*nats\.creds can't be read/);
    await writeFile(file, 'nothing of this kind');
    await assertRefused(settings, /--nats-credentials .*nats\.creds has no credentials of NATS/);
    await writeFile(file, new NatsAccount().credentials());
    await assertRefused(settings, /refuse the credentials of --nats-credentials .*nats\.creds/);
    await writeFile(file, account.credentials());
    await assertConnects(settings);
  });

  it('uses the credentials that the file has by now when it is restored', async (context) => {
    const account = new NatsAccount();
    const servers = await startNatsServers(context, 1, account.configuration);
    const file = join(await temporaryDirectory(context), 'nats.creds');
    await writeFile(file, account.credentials(2));
    const connection = await connectNats(servers.settings({ credentialsFile: file }), 'test');
    context.after(() => connection.close());
    const events = connection.status()[Symbol.asyncIterator]();
    // A file that is not complete at the moment of an attempt ends nothing.
    await writeFile(file, '');
    for (let disconnections = 0; disconnections === 0; ) {
      const { value } = await events.next();
      if (value?.type === 'disconnect') disconnections++;
    }
    await writeFile(file, account.credentials());
    while ((await events.next()).value?.type !== 'reconnect');
    await connection.flush();
  });
});

const skip = withoutNats || withoutOpenssl;

describe('a connection to log servers with TLS', { skip }, () => {
  async function encrypted(context: TestContext, names: string, more = '') {
    const authority = new Authority(await temporaryDirectory(context));
    const { certificate, key } = authority.issue(names);
    const tls = `tls { cert_file: "${certificate}", key_file: "${key}", ${more} ca_file: "${authority.file}" }`;
    const servers = await startNatsServers(context, 1, [tls]);
    return { authority, settings: servers.settings({ tls: true, caFile: authority.file }) };
  }

  const byName = ({ servers, ...settings }: ClusterSettings): ClusterSettings => ({
    ...settings,
    servers: servers.map((server) => server.replace('127.0.0.1', 'localhost')),
  });

  it('accepts a certificate for the address of --journal', async (context) => {
    const { settings } = await encrypted(context, 'IP:127.0.0.1');
    await assertConnects(settings);
  });

  it('says that it does not know the authority, and which setting gives it', async (context) => {
    const { settings } = await encrypted(context, 'IP:127.0.0.1');
    const unknown = /certificate of the log servers is not valid \(.*\): give its authority with --nats-ca/;
    await assertRefused({ ...settings, caFile: undefined }, unknown);
    await assertRefused({ ...settings, caFile: undefined, tls: false }, /demand TLS .*tls:\/\//);
    const other = new Authority(await temporaryDirectory(context));
    await assertRefused({ ...settings, caFile: other.file }, unknown);
    await assertRefused({ ...settings, caFile: '/does/not/exist.pem' }, /exist\.pem/);
  });

  it('refuses a certificate that does not have the address or name of --journal', async (context) => {
    const { settings } = await encrypted(context, 'DNS:localhost');
    await assertRefused(settings, /127\.0\.0\.1 is not in the cert's list/);
    await assertConnects(byName(settings));
    const elsewhere = await encrypted(context, 'IP:127.0.0.1,DNS:elsewhere.example');
    await assertRefused(byName(elsewhere.settings), /localhost\. is not in the cert's altnames/);
  });

  it('shows its own certificate to servers that demand one', async (context) => {
    const { authority, settings } = await encrypted(context, 'IP:127.0.0.1', 'verify: true,');
    const { certificate, key } = authority.issue('DNS:client.example');
    await assertConnects({ ...settings, certificateFile: certificate, keyFile: key });
    await assertRefused(settings, /give --nats-certificate and --nats-key/);
    const swapped = { ...settings, certificateFile: key, keyFile: certificate };
    await assertRefused(swapped, /--nats-certificate/);
  });

  it('is refused if the log servers do not use TLS', async (context) => {
    const servers = await startNatsServers(context, 1);
    await assertRefused(servers.settings({ tls: true }), /do not use TLS.*nats:\/\//);
  });
});
