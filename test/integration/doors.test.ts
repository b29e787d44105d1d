import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const GRAPH = '/context?graph=urn:x:g';
const turtle = { 'Content-Type': 'text/turtle' };
const DATA = '<urn:x:s> <urn:x:p> 1 .';

async function hashOf(password: string): Promise<string> {
  const { status, out } = await runPathpool(['hash-password'], {}, `${password}\n`);
  assert.equal(status, 0);
  return out.trim();
}

test('credentials from a file and from the environment admit the requests that they should', async (t) => {
  const file = join(await temporaryDirectory(t), 'credentials');
  writeFileSync(file, `# doors\nwrite anna ${await hashOf('geheim')}\n`);
  const credential = `read indexer ${await hashOf('t0ken')}`;
  const args = ['--memory', '--threads', '1', '--credentials', file, '--credential', credential];
  const { url } = await startServer(t, args);
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

const double = `read twice ${await hashPassword('a', { logCost: 4, blockSize: 8, parallelism: 1 })}`;

for (const [what, args, words] of [
  ['listening for everybody', ['--host', '0.0.0.0'], /--credentials.*--open/],
  ['a missing file of credentials', ['--credentials', '/nowhere/credentials'], /can't be read/],
  ['a credential without a hash', ['--credential', 'write anna secret'], /hash-password/],
  ['a name with two credentials', ['--credential', double, '--credential', double], /name twice\./],
  ['half of what TLS needs', ['--tls-cert', 'x.pem'], /together/],
] as const) {
  test(`${what} is refused with one line and status 2`, async () => {
    const { status, err } = await runPathpool(['--memory', '--port', '0', ...args]);
    assert.equal(status, 2);
    assert.match(err, words);
    assert.equal(err.trimEnd().split('\n').length, 1);
    assert.doesNotMatch(err, /secret/);
  });
}

test('listening for everybody is possible when it is said or when there are credentials', async (t) => {
  const credential = `read indexer ${await hashOf('t0ken')}`;
  // A loopback address in a form that is not recognised as one, so that the test does not expose
  // this machine.
  for (const more of [['--open'], ['--credential', credential]]) {
    const server = await startServer(t, ['--memory', '--threads', '1', '--host', '127.1', ...more]);
    await server.end('SIGTERM');
  }
});

test('an empty password is refused', async () => {
  const { status, err } = await runPathpool(['hash-password'], {}, '\n');
  assert.equal(status, 2);
  assert.match(err, /standard input/);
});

test('with a certificate the server speaks TLS, and nothing else', async (t) => {
  const directory = await temporaryDirectory(t);
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
  const ca = makeCertificate(files);
  if (ca === undefined) return t.skip('openssl is not here');
  const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
  const { url, readyLine } = await startServer(t, ['--memory', '--threads', '1', ...tls]);
  assert.match(readyLine, /listening on https:/);
  const put = await ask(url + GRAPH, 'PUT', ca, DATA.repeat(5_000));
  assert.equal(put.response.statusCode, 201);
  const got = await ask(`${url}${GRAPH}&format=nt`, 'GET', ca);
  assert.equal(got.text, `<urn:x:s> <urn:x:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`);
  await assert.rejects(fetch(url.replace('https', 'http')));
  const old = { port: Number(new URL(url).port), ca, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as const;
  await assert.rejects(
    new Promise((resolve, reject) => connect(old).on('secureConnect', resolve).on('error', reject)),
  );
  const swapped = ['--tls-cert', files.key, '--tls-key', files.cert];
  const refused = await runPathpool(['--memory', '--port', '0', ...swapped]);
  assert.equal(refused.status, 2);
  assert.match(refused.err, /is invalid/);
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

function ask(url: string, method: string, ca: string, body = '') {
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
