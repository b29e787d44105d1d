import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { frontNames } from '../../src/http/fronts/front.ts';
import { projectRoot } from '../support/project.ts';
import { runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const MEMORY = ['--memory', '--threads', '1', '--sparql-threads', '0'];
const chosen = { PATHPOOL_LOG_LEVEL: 'info' };
const withoutBinary = {
  ...chosen,
  NODE_OPTIONS: `--require ${JSON.stringify(join(projectRoot, 'test/support/without-uws.cjs'))}`,
};

async function stateOf(url: string): Promise<{ front: string }> {
  return (await fetch(`${url}/health`)).json() as Promise<{ front: string }>;
}

/** The lines of the log up to the one about the start, which may come after the start line. */
async function logUntilStart(server: ServerProcess): Promise<string[]> {
  while (!/"event":"start".*\n/.test(server.errors)) await turn();
  return server.errors.split('\n');
}

describe('a server', () => {
  it('names its front in the start line, the log and /health', async (t) => {
    for (const front of frontNames) {
      const server = await startServer(t, [...MEMORY, '--front', front], chosen, null);
      assert.match(server.readyLine, new RegExp(`, front ${front}\\)$`));
      assert.match((await logUntilStart(server)).join(), new RegExp(`"event":"start".*"front":"${front}"`));
      assert.equal((await stateOf(server.url)).front, front);
      assert.equal(await server.end('SIGTERM'), 0);
    }
  });

  it('serves by node:http where uWebSockets.js has no binary, and one line of the log says why', {
    skip: process.env['PATHPOOL_FRONT'] !== undefined && 'PATHPOOL_FRONT chooses a front.',
  }, async (t) => {
    const server = await startServer(t, MEMORY, withoutBinary, null);
    assert.equal((await stateOf(server.url)).front, 'node');
    const lines = (await logUntilStart(server)).filter((line) => line.includes("can't be loaded"));
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /"level":40,.*"reason":".+"/);
  });

  it('does not start if uWebSockets.js is demanded and has no binary', async () => {
    const { status, err } = await runPathpool([...MEMORY, '--front', 'uws', '--port', '0'], withoutBinary);
    assert.equal(status, 2);
    assert.match(err, /^pathpool: --front uws: uWebSockets\.js can't be loaded on .* Use --front node/m);
  });

  it('speaks TLS 1.2 and newer on every front, and nothing older', async (t) => {
    const tls = await certificate(t);
    for (const front of frontNames) {
      const { url } = await startServer(t, [...MEMORY, ...tls, '--front', front], {}, null);
      const port = Number(new URL(url).port);
      assert.equal(await protocolOf(port, 'TLSv1.3'), 'TLSv1.3', front);
      assert.equal(await protocolOf(port, 'TLSv1.2'), 'TLSv1.2', front);
      await assert.rejects(protocolOf(port, 'TLSv1.1'), front);
    }
  });
});

/** The flags of a new certificate. */
async function certificate(t: TestContext): Promise<string[]> {
  const directory = await temporaryDirectory(t);
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const names = ['-subj', '/CN=localhost', '-days', '2'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return ['--tls-cert', cert, '--tls-key', key];
}

type Version = 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** The version that a client with only this one agrees on, once it has had a whole response. */
function protocolOf(port: number, version: Version): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const settings = { rejectUnauthorized: false, ciphers: 'DEFAULT@SECLEVEL=0' };
    const socket = connect({
      port,
      host: '127.0.0.1',
      minVersion: version,
      maxVersion: version,
      ...settings,
    });
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (!received.includes('"live"}')) return;
      resolve(socket.getProtocol());
      socket.destroy();
    });
    socket.on('error', reject);
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
}
