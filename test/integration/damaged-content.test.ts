import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { open, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Scope } from '../support/scope.ts';
import { runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CAT = '/content/image/png?uri=urn:x:cat';
const BINARY = '/ldp/cat.png';
const LONG_AGO = 1_700_000_000;
const bytes = randomBytes(3_000_000);

/** Overwrites one byte of the stored file. Its length stays, and its time is always the same. */
async function writeByte(data: string, at: number, byte: number): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const path = join(data, 'content', digest.slice(0, 2), digest);
  const file = await open(path, 'r+');
  await file.write(Uint8Array.of(byte), 0, 1, at);
  await file.close();
  await utimes(path, LONG_AGO, LONG_AGO);
}

function damage(data: string, at: number): Promise<void> {
  return writeByte(data, at, bytes[at]! ^ 1);
}

function repair(data: string, at: number): Promise<void> {
  return writeByte(data, at, bytes[at]!);
}

/** Starts a server, and stores the bytes as the content of a resource and as an LDP binary. */
async function startWithContent(scope: Scope, data: string): Promise<ServerProcess> {
  const server = await startServer(scope, ['--data', data, '--threads', '1', '--ldp-if-match', 'optional']);
  const headers = { 'Content-Type': 'image/png' };
  for (const target of [CAT, BINARY]) {
    const stored = await fetch(server.url + target, { method: 'PUT', headers, body: bytes });
    assert.equal(stored.status, 201);
  }
  return server;
}

async function damageOf(server: ServerProcess): Promise<unknown> {
  const response = await fetch(`${server.url}/health`);
  assert.equal(response.status, 200);
  const { status, damaged } = (await response.json()) as Record<string, unknown>;
  return { status, damaged };
}

/** Returns a function that returns the log since now. */
function logOf(server: ServerProcess): () => string {
  let text = '';
  server.process.stderr?.on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

describe('a request for damaged content', () => {
  it('G-143, T-10: gets 500 and no byte of the content until it is stored again', async (context) => {
    const data = await temporaryDirectory(context);
    await (await startWithContent(context, data)).end('SIGTERM');
    await damage(data, 2_999_999);
    const check = await runPathpool(['check', data]);
    assert.equal(check.status, 1);
    assert.match(check.out, /^damaged: content\/.*does not match its digest/m);
    const server = await startServer(context, ['--data', data, '--threads', '1']);
    const log = logOf(server);
    for (const target of [CAT, BINARY]) {
      for (const headers of [{}, { Range: 'bytes=0-9' }]) {
        const response = await fetch(server.url + target, { headers });
        assert.deepEqual(
          [response.status, response.headers.get('content-type')],
          [500, 'application/problem+json'],
        );
        assert.equal(response.headers.get('repr-digest'), null);
        assert.ok((await response.text()).length < 1000);
      }
      assert.equal((await fetch(server.url + target, { method: 'HEAD' })).status, 200);
    }
    assert.match(log(), /content\/..\/\w{64} does not match its digest/);
    const digest = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(await damageOf(server), { status: 'ready', damaged: { count: 1, digests: [digest] } });
    assert.equal((await fetch(server.url + CAT, { method: 'PUT', body: bytes })).status, 200);
    const healed = await fetch(server.url + BINARY);
    assert.ok(Buffer.from(await healed.arrayBuffer()).equals(bytes));
    assert.deepEqual(await damageOf(server), { status: 'ready', damaged: { count: 0, digests: [] } });
  });

  it('G-143: damage after the verification aborts the download, and is logged', async (context) => {
    const data = await temporaryDirectory(context);
    const server = await startWithContent(context, data);
    const log = logOf(server);
    await damage(data, 10);
    // The server verifies the file first, because its time has changed.
    assert.equal((await fetch(server.url + CAT)).status, 500);
    await repair(data, 10);
    const whole = await fetch(server.url + CAT);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
    await damage(data, 10);
    const broken = await fetch(server.url + CAT);
    assert.equal(broken.status, 200);
    await assert.rejects(broken.arrayBuffer());
    const range = await fetch(server.url + CAT, { headers: { Range: 'bytes=0-1' } });
    assert.equal(range.status, 500);
    assert.match(log(), /does not match its digest/);
  });
});
