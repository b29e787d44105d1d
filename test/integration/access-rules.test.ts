import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { login } from '../support/graph-rules.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };
const anna = `write anna ${await hashPassword('anna', cheap)}`;
const root = `write root ${await hashPassword('root', cheap)}`;
const everything = 'write user:root *';

/** A server with rules that a test changes. */
async function start(t: TestContext, rules: string) {
  const file = join(await temporaryDirectory(t), 'access');
  const write = (text: string) => writeFileSync(file, `${text}\n`);
  write(rules);
  const args = [
    '--memory',
    '--threads',
    '1',
    '--log-level',
    'info',
    '--access',
    file,
    '--credential',
    anna,
    '--credential',
    root,
  ];
  const server = await startServer(t, args);
  const reload = async (event: string) => {
    const from = server.errors.length;
    server.process.kill('SIGHUP');
    for (;;) {
      const line = server.errors.slice(from).match(new RegExp(`.*"event":"${event}".*\n`))?.[0];
      if (line) return line;
      await once(server.process.stderr!, 'data');
    }
  };
  const send = (user: string, target: string, update?: string) =>
    fetch(server.url + target, {
      method: update === undefined ? 'GET' : 'POST',
      headers: { ...login(user), 'Content-Type': 'application/sparql-update' },
      ...(update !== undefined && { body: update }),
    });
  const ask = async (user: string) => {
    const query = encodeURIComponent('ASK { ?s ?p ?o }');
    return ((await (await send(user, `/sparql?query=${query}`)).json()) as { boolean: boolean }).boolean;
  };
  return { file, write, reload, send, ask };
}

describe('a file of rules about graphs', () => {
  it('G-160: with a mistake it is refused at the start, with its line', async (t) => {
    const file = join(await temporaryDirectory(t), 'access');
    for (const [text, words] of [
      ['read public *\n\nreed public *', /access.*line 3.*'read' or 'write'/],
      ['# all\nread everybody *', /line 2.*'everybody' must be public, users/],
      ['read public', /line 1.*at least one graph/],
      ['read public urn:*:x', /line 1.*\* before its end/],
    ] as const) {
      writeFileSync(file, text);
      const args = ['--memory', '--port', '0', '--credential', anna, '--access', file];
      const { status, err } = await runPathpool(args);
      assert.equal(status, 2);
      assert.match(err, words);
      assert.equal(err.trimEnd().split('\n').length, 1);
    }
    const missing = await runPathpool(['--memory', '--port', '0', '--access', `${file}.none`]);
    assert.equal(missing.status, 2);
    assert.match(missing.err, /access\.none can't be read/);
  });

  it('SIGHUP puts its changes in force for queries, and keeps the rules if it has a mistake', async (t) => {
    const server = await start(t, everything);
    const insert = 'INSERT DATA { GRAPH <urn:x:a> { <urn:s> <urn:p> 1 } }';
    assert.equal((await server.send('root', '/sparql', insert)).status, 204);
    assert.deepEqual([await server.ask('anna'), await server.ask('root')], [false, true]);
    server.write(`${everything}\nread user:anna urn:x:a`);
    await server.reload('reload');
    assert.equal(await server.ask('anna'), true);
    server.write(`${everything}\nread anna urn:x:a`);
    assert.match(await server.reload('reload-failed'), /line 2/);
    assert.equal(await server.ask('anna'), true);
    server.write(everything);
    await server.reload('reload');
    assert.deepEqual([await server.ask('anna'), await server.ask('root')], [false, true]);
  });

  it('G-164: what describes all data needs a right to read all of them; probes need nothing', async (t) => {
    const server = await start(t, `${everything}\nread user:anna urn:x:*`);
    for (const path of ['/health', '/metrics', '/settings', '/tasks/events']) {
      const denied = await server.send('anna', path);
      assert.equal(denied.status, 403, path);
      assert.equal(((await denied.json()) as { code: string }).code, 'forbidden');
      const allowed = await server.send('root', path);
      assert.equal(allowed.status, 200, path);
      await allowed.body?.cancel();
    }
    for (const path of ['/health/live', '/health/ready', '/ping']) {
      assert.equal((await server.send('anna', path)).status, 200, path);
    }
    const settings = (await (await server.send('root', '/settings')).json()) as Record<
      string,
      { value: unknown }
    >;
    assert.equal(settings['access']?.value, server.file);
    assert.ok(!JSON.stringify(settings).includes('user:anna'));
  });
});
