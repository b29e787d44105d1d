import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const CLIENTS = 1_000;
const MIB = 1024 * 1024;
const KNOWN = 'urn:x:known';
const GRAPH = `/context?graph=${encodeURIComponent('urn:x:big')}`;

/** Connections that misbehave, and what they received. */
interface Crowd {
  readonly sockets: readonly Socket[];
  readonly heard: string[];
  readonly closed: Promise<unknown>;
}

describe('a thousand hostile clients', () => {
  it('are disconnected if they never complete their request heads', { timeout: 300_000 }, async (t) => {
    const server = await start(t, []);
    const crowd = gather(server, CLIENTS, 'GET /context/list HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    const dripping = setInterval(() => {
      for (const socket of crowd.sockets) socket.write('x');
    }, 1_000);
    t.after(() => clearInterval(dripping));
    await assertServes(server);
    await crowd.closed;
    assert.ok(crowd.heard.every((text) => !text.startsWith('HTTP/1.1 200')));
  });

  it('get 408 and take little memory if their bodies make no progress', {
    timeout: 300_000,
  }, async (t) => {
    const server = await start(t, ['--body-time', '3']);
    await assertServes(server);
    const before = residentBytes(server);
    const head = `PUT ${GRAPH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 60000000\r\n\r\n`;
    const crowd = gather(server, CLIENTS, `${head}<urn:x:s> `);
    await assertServes(server);
    await crowd.closed;
    const grown = residentBytes(server) - before;
    assert.equal(crowd.heard.filter((text) => text.startsWith('HTTP/1.1 408 ')).length, CLIENTS);
    assert.ok(grown < 128 * MIB, `${Math.round(grown / MIB)} MiB more`);
    await assertServes(server);
  });

  it('G-141: are disconnected if they do not read their responses', {
    timeout: 300_000,
  }, async (t) => {
    const limits = ['--heavy-queue', '32', '--max-answers-held', '64MiB'];
    const server = await start(t, limits);
    const text = 'long '.repeat(20_000);
    const big = Array.from({ length: 60 }, (_, i) => `<urn:x:s> <urn:x:p${i}> "${text}" .\n`).join('');
    assert.equal(await put(server, GRAPH, big), 201);
    const before = residentBytes(server);
    const crowd = gather(server, CLIENTS, `GET ${GRAPH} HTTP/1.1\r\nHost: localhost\r\n\r\n`, false);
    let most = 0;
    for (let left = Number.POSITIVE_INFINITY; left > 0; left = await fewerExports(server, left)) {
      await assertServes(server);
      assert.equal(await put(server, `/context/small-${left}`, '<urn:x:s> <urn:x:p> 1 .'), 201);
      most = Math.max(most, residentBytes(server) - before);
    }
    assert.ok(most < 384 * MIB, `${Math.round(most / MIB)} MiB more`);
    for (const socket of crowd.sockets) socket.destroy();
  });
});

/** Opens connections that send some bytes and then read, or with `reads` false read nothing. */
function gather({ url }: ServerProcess, count: number, bytes: string, reads = true): Crowd {
  const port = Number(new URL(url).port);
  const heard: string[] = Array.from({ length: count }, () => '');
  const sockets = heard.map(() => connect({ port, host: '127.0.0.1' }));
  const closed = sockets.map((socket, i) => {
    socket.on('error', () => {});
    socket.write(bytes);
    if (reads) {
      socket.setEncoding('latin1').on('data', (text: string) => {
        heard[i] += text;
      });
    }
    return new Promise((resolve) => socket.on('close', resolve));
  });
  return { sockets, heard, closed: Promise.all(closed) };
}

async function start(t: TestContext, args: readonly string[]): Promise<ServerProcess> {
  const server = await startServer(t, ['--memory', '--threads', '2', ...args]);
  assert.equal(await put(server, `/context?graph=${KNOWN}`, '<urn:x:known> <urn:x:p> 1 .'), 201);
  return server;
}

/** An ordinary client gets its results. */
async function assertServes({ url }: ServerProcess): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const evaluated = await fetch(`${url}/ldpath/path?path=.&uri=${KNOWN}`);
    assert.equal(evaluated.status, 200);
    assert.equal(await evaluated.text(), '[{"type":"uri","value":"urn:x:known"}]');
  }
}

async function put({ url }: ServerProcess, path: string, body: string): Promise<number> {
  const init = { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body };
  return (await fetch(url + path, init)).status;
}

/** Waits until fewer exports are left than that, and returns how many. */
async function fewerExports(server: ServerProcess, than: number): Promise<number> {
  for (;;) {
    const left = await exportsLeft(server);
    if (left < than) return left;
    await turn();
  }
}

async function exportsLeft({ url }: ServerProcess): Promise<number> {
  const tasks = (await (await fetch(`${url}/tasks/Exporter?queued=true`)).json()) as Record<
    string,
    unknown[]
  >;
  return tasks['Exporter']?.length ?? 0;
}

function residentBytes({ process }: ServerProcess): number {
  return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(process.pid)], { encoding: 'utf8' }));
}
