import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, get, type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { connect } from 'node:tls';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { availableFronts } from '../support/tested-front.ts';
import { AUDIENCE, ISSUER, issuerKey, keySetOf } from '../support/token-issuer.ts';

const hash = await hashPassword('a', { logCost: 4, blockSize: 8, parallelism: 1 });
const first = await issuerKey('one');
const second = await issuerKey('two');
const config = { credentials: 'credentials', 'jwt-jwks': 'keys.json', 'log-level': 'info' };
/** More than the buffers of a connection hold, in bytes. */
const BIG = 16 * 1024 * 1024;
const hasOpenssl = canRun('openssl');

interface Fixture {
  readonly server: ServerProcess;
  /** Writes a file of the server's directory. */
  write(name: string, text: string): void;
  certify(name: string): void;
  /** Sends SIGHUP and waits for a log line with that event; returns the line. */
  reload(event: string): Promise<Record<string, unknown>>;
  /** The status of a request with a password of that name, or with a token. */
  status(authorization: string): Promise<number>;
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function start(t: TestContext, more: readonly string[] = [], encrypted = false): Promise<Fixture> {
  const directory = await temporaryDirectory(t);
  const place = (name: string) => join(directory, name);
  const write = (name: string, text: string) => writeFileSync(place(name), text);
  const certify = (name: string) => {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const files = ['-keyout', place('key.pem'), '-out', place('cert.pem')];
    execFileSync('openssl', ['req', '-x509', ...kind, '-subj', `/CN=${name}`, ...files], { stdio: 'ignore' });
  };
  write('credentials', `write anna ${hash}`);
  write('keys.json', keySetOf(first));
  write('pathpool.json', JSON.stringify(config));
  if (encrypted) certify('before');
  const tls = encrypted ? ['--tls-cert', place('cert.pem'), '--tls-key', place('key.pem')] : [];
  const trust = ['--jwt-issuer', ISSUER, '--jwt-audience', AUDIENCE, '--jwt-read', 'sub'];
  const args = ['--memory', '--threads', '1', '--config', place('pathpool.json'), ...trust, ...tls, ...more];
  const server = await startServer(t, args);
  const reload = async (event: string) => {
    const from = server.errors.length;
    server.process.kill('SIGHUP');
    for (;;) {
      const line = server.errors.slice(from).match(new RegExp(`.*"event":"${event}".*\n`))?.[0];
      if (line) return JSON.parse(line) as Record<string, unknown>;
      await once(server.process.stderr!, 'data');
    }
  };
  const status = async (authorization: string) => {
    const headers = { Authorization: `Bearer ${authorization}` };
    return (await fetch(`${server.url}/context/list`, { headers })).status;
  };
  return { server, write, certify, reload, status };
}

describe('SIGHUP', () => {
  it('reads credentials, keys of tokens and the config file again', async (t) => {
    const { server, write, reload, status } = await start(t);
    const token = await second.sign();
    assert.deepEqual([await status('anna.a'), await status('berta.a'), await status(token)], [200, 401, 401]);
    write('credentials', `read berta ${hash}`);
    write('keys.json', keySetOf(second));
    await reload('reload');
    assert.deepEqual([await status('anna.a'), await status('berta.a'), await status(token)], [401, 200, 200]);
    assert.equal(await status(await first.sign()), 401);

    write('pathpool.json', JSON.stringify({ ...config, 'log-level': 'warn', 'max-patch': 5 }));
    const line = await reload('restart-needed');
    assert.deepEqual(line['settings'], ['--max-patch']);
    const lines = server.errors.length;
    assert.equal(await status('berta.a'), 200);
    assert.equal(server.errors.length, lines, 'requests are no longer logged');
  });

  it('changes nothing if anything is wrong, and logs what', async (t) => {
    const { write, reload, status } = await start(t);
    const token = await first.sign();
    for (const [file, text, reason] of [
      ['credentials', 'read anna secret', /credentials is invalid: line 1/],
      ['credentials', '# none', /contains no credentials/],
      ['keys.json', '{"keys":[]}', /keys.json is invalid: it is not a JSON Web Key Set/],
      [
        'keys.json',
        JSON.stringify({ keys: [{ ...first.publicKey, d: 'x' }] }),
        /a private or a symmetric key/,
      ],
      ['pathpool.json', '{"log-level": "loud"}', /pathpool.json:1:15.*expected one of/],
    ] as const) {
      write(file, text);
      const line = await reload('reload-failed');
      assert.match(String(line['reason']), reason);
      assert.doesNotMatch(JSON.stringify(line), /secret/);
      assert.deepEqual([await status('anna.a'), await status(token)], [200, 200]);
      write('credentials', `write anna ${hash}`);
      write('keys.json', keySetOf(first));
    }
  });
});

for (const front of availableFronts) {
  describe(`SIGHUP with TLS (${front})`, { skip: !hasOpenssl && 'openssl is not installed' }, () => {
    it('shows a new certificate to new connections, while the old ones go on', async (t) => {
      const { server, certify, write, reload } = await start(t, ['--front', front], true);
      const { port } = new URL(server.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      t.after(() => agent.destroy());
      const options = { port, headers: { Authorization: 'Bearer anna.a' }, rejectUnauthorized: false };
      const kept = { ...options, agent, path: '/context/list' };
      const before = await send(kept);
      assert.equal(await certificate(port), 'before');
      const path = '/content/text/plain?uri=urn:x:big';
      await put({ ...options, path });
      const [running] = await once(get({ host: '127.0.0.1', ...options, path }), 'response');

      certify('second');
      await reload('reload');
      assert.equal(await certificate(port), 'second');
      certify('third');
      await reload('reload');
      for (let i = 0; i < 4; i++) assert.equal(await certificate(port), 'third');
      const after = await send(kept);
      assert.deepEqual([after.status, after.port], [200, before.port], 'on the same connection');
      assert.equal((await buffer(running)).length, BIG);

      write('key.pem', 'x');
      assert.match(String((await reload('reload-failed'))['reason']), /key.pem is invalid/);
      assert.equal(await certificate(port), 'third');
      assert.equal(await server.end('SIGTERM'), 0);
    });
  });
}

/** The common name of the certificate that a new connection gets. */
async function certificate(port: string): Promise<string> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

async function put(options: RequestOptions): Promise<void> {
  const sent = request({ host: '127.0.0.1', method: 'PUT', ...options });
  const [response] = await once(sent.end(Buffer.alloc(BIG)), 'response');
  assert.equal(response.statusCode, 201);
  await buffer(response);
}

async function send(options: RequestOptions): Promise<{ status: number; port: number | undefined }> {
  const [response] = await once(get({ host: '127.0.0.1', ...options }), 'response');
  const { statusCode: status, socket } = response;
  const port = socket.localPort;
  await buffer(response);
  return { status, port };
}
