import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { availableFronts } from '../support/tested-front.ts';

const GRAPH = '/context?graph=urn:x:g';
const turtle = { 'Content-Type': 'text/turtle' };
const DATA = '<urn:x:s> <urn:x:p> 1 .';

async function hashOf(password: string): Promise<string> {
  const { status, out } = await runPathpool(['hash-password'], {}, `${password}\n`);
  assert.equal(status, 0);
  return out.trim();
}

const double = `read twice ${await hashPassword('a', { logCost: 4, blockSize: 8, parallelism: 1 })}`;

describe('a server with credentials', () => {
  it('accepts exactly the requests that the role of a credential permits', async (context) => {
    const file = join(await temporaryDirectory(context), 'credentials');
    writeFileSync(file, `# comment\nwrite anna ${await hashOf('geheim')}\n`);
    const credential = `read indexer ${await hashOf('t0ken')}`;
    const args = ['--memory', '--threads', '1', '--credentials', file, '--credential', credential];
    const { url } = await startServer(context, args);
    const anna = { Authorization: `Basic ${Buffer.from('anna:geheim').toString('base64')}` };
    const indexer = { Authorization: 'Bearer indexer.t0ken' };
    const put = async (headers: Record<string, string>) =>
      (await fetch(url + GRAPH, { method: 'PUT', headers: { ...turtle, ...headers }, body: DATA })).status;
    const get = async (headers: Record<string, string>) => (await fetch(url + GRAPH, { headers })).status;
    assert.equal(await put({}), 401);
    assert.equal(await put(indexer), 403);
    assert.equal(await put(anna), 201);
    assert.deepEqual([await get({}), await get(indexer), await get(anna)], [401, 200, 200]);
    const tasks = await fetch(`${url}/tasks/LDPath/x`, { method: 'DELETE', headers: indexer });
    assert.equal(tasks.status, 403);
  });
});

describe('a start', () => {
  for (const [what, args, words] of [
    ['a public address without credentials', ['--host', '0.0.0.0'], /--credentials.*--open/],
    ['a missing credentials file', ['--credentials', '/nowhere/credentials'], /can't be read/],
    ['a credential without a hash', ['--credential', 'write anna secret'], /hash-password/],
    ['two credentials of one name', ['--credential', double, '--credential', double], /name twice\./],
    ['a certificate without a key', ['--tls-cert', 'x.pem'], /together/],
  ] as const) {
    it(`fails with one line and status 2 for ${what}`, async () => {
      const { status, err } = await runPathpool(['--memory', '--port', '0', ...args]);
      assert.equal(status, 2);
      assert.match(err, words);
      assert.equal(err.trimEnd().split('\n').length, 1);
      assert.doesNotMatch(err, /secret/);
    });
  }

  it('can use a public address with --open or with credentials', async (context) => {
    const credential = `read indexer ${await hashOf('t0ken')}`;
    // The server does not recognise this form of a loopback address, so the test exposes nothing.
    for (const more of [['--open'], ['--credential', credential]]) {
      const server = await startServer(context, ['--memory', '--threads', '1', '--host', '127.1', ...more]);
      await server.end('SIGTERM');
    }
  });
});

describe('pathpool hash-password', () => {
  it('rejects an empty password', async () => {
    const { status, err } = await runPathpool(['hash-password'], {}, '\n');
    assert.equal(status, 2);
    assert.match(err, /standard input/);
  });
});

describe('a server with a certificate', () => {
  for (const front of availableFronts) {
    it(`speaks TLS 1.2 or later, and nothing else (${front})`, async (context) => {
      const directory = await temporaryDirectory(context);
      const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
      const ca = makeCertificate(files);
      if (ca === undefined) return context.skip('openssl is not installed');
      const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
      const { url, readyLine } = await startServer(context, [
        '--memory',
        '--threads',
        '1',
        '--front',
        front,
        ...tls,
      ]);
      assert.match(readyLine, /listening on https:/);
      const put = await send(url + GRAPH, 'PUT', ca, DATA.repeat(5_000));
      assert.equal(put.response.statusCode, 201);
      const got = await send(`${url}${GRAPH}&format=nt`, 'GET', ca);
      assert.equal(got.text, `<urn:x:s> <urn:x:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`);
      await assert.rejects(fetch(url.replace('https', 'http')));
      const old = {
        port: Number(new URL(url).port),
        ca,
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
      } as const;
      await assert.rejects(
        new Promise((resolve, reject) => connect(old).on('secureConnect', resolve).on('error', reject)),
      );
      const swapped = ['--tls-cert', files.key, '--tls-key', files.cert];
      const refused = await runPathpool(['--memory', '--port', '0', ...swapped]);
      assert.equal(refused.status, 2);
      assert.match(refused.err, /is invalid/);
    });
  }
});

function makeCertificate({ cert, key }: { cert: string; key: string }): string | undefined {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    return execFileSync('openssl', ['x509', '-in', cert], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

function send(url: string, method: string, ca: string, body = '') {
  return new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
    const options = { method, ca, headers: method === 'PUT' ? turtle : {} };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ response, text }));
    });
    sent.on('error', reject).end(body);
  });
}
