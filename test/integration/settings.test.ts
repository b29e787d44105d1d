import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const timeout = 300_000;
const hash = await hashPassword('s3cret', { logCost: 4, blockSize: 8, parallelism: 1 });
const token = { Authorization: 'Bearer anna.s3cret' };

interface Shown {
  readonly value: unknown;
  readonly text: string;
  readonly unit?: string;
  readonly source: string;
  readonly at?: string;
}

async function settingsOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/settings`, { headers });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Readonly<Record<string, Shown>>;
}

describe('/settings', () => {
  it('T-50: shows each setting with its unit and where it came from', { timeout }, async (t) => {
    const file = join(await temporaryDirectory(t), 'pathpool.yaml');
    writeFileSync(file, 'max-patch: 3MiB\nprefix: ["ex=urn:x:"]\n');
    const { url } = await startServer(t, ['--memory', '--config', file, '--body-time', '7']);
    const all = await settingsOf(url);
    const of = (name: string) => {
      const { explanation: _, ...rest } = all[name] as Shown & { explanation: string };
      return rest;
    };
    const patch = { value: 3 * 2 ** 20, text: '3MiB', unit: 'bytes', source: 'file', at: `${file}:1:1` };
    assert.deepEqual(of('max-patch'), patch);
    const time = { value: 7, text: '7', unit: 'seconds', source: 'flag', at: '--body-time' };
    assert.deepEqual(of('body-time'), time);
    assert.deepEqual(of('tls-key'), { value: null, text: 'none', source: 'default' });
    assert.deepEqual(of('content-grace'), { value: 24, text: '24', unit: 'hours', source: 'default' });
    assert.deepEqual(of('prefix').value, ['ex=urn:x:']);
  });

  it('T-50: never shows secrets', { timeout }, async (t) => {
    const credential = `read anna ${hash}`;
    const environment = { PATHPOOL_NATS_PASSWORD: 'pa55word' };
    const { url } = await startServer(t, ['--memory', '--credential', credential], environment);
    const all = await settingsOf(url, token);
    assert.deepEqual([all['credential']?.value, all['credential']?.text], [['(hidden)'], '(hidden)']);
    assert.deepEqual(
      [all['nats-password']?.value, all['nats-password']?.source],
      ['(hidden)', 'environment'],
    );
    for (const secret of [hash, 'pa55word']) assert.ok(!JSON.stringify(all).includes(secret), secret);
  });

  it('T-51: needs credentials where there are any, also with --public-read', { timeout }, async (t) => {
    const credential = `read anna ${hash}`;
    const { url } = await startServer(t, ['--memory', '--credential', credential, '--public-read']);
    assert.equal((await fetch(`${url}/context/list`)).status, 200);
    for (const path of ['/settings', '/settings/', '/settings?x']) {
      const rejected = await fetch(url + path);
      assert.equal(rejected.status, 401, path);
      assert.match(rejected.headers.get('www-authenticate') ?? '', /Basic .*Bearer/);
    }
    const wrong = await fetch(`${url}/settings`, { headers: { Authorization: 'Bearer anna.wrong' } });
    assert.equal(wrong.status, 401);
    assert.equal((await settingsOf(url, token))['public-read']?.value, true);
  });

  it('T-50: shows what a reload has taken over, and nothing that needs a restart', { timeout }, async (t) => {
    const file = join(await temporaryDirectory(t), 'pathpool.yaml');
    const write = (level: string, patch: string) =>
      writeFileSync(file, `log-level: ${level}\nmax-patch: ${patch}\n`);
    write('info', '3MiB');
    const server = await startServer(t, ['--memory', '--config', file]);
    write('warn', '4MiB');
    const from = server.errors.length;
    server.process.kill('SIGHUP');
    while (!server.errors.slice(from).includes('"restart-needed"'))
      await once(server.process.stderr!, 'data');
    const all = await settingsOf(server.url);
    assert.deepEqual([all['log-level']?.value, all['max-patch']?.text], ['warn', '3MiB']);
  });
});
