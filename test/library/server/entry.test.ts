import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { hashPassword } from '../../../src/http/middleware/password.ts';
import {
  createServer,
  type Server,
  ServerError,
  type ServerOptions,
  version,
} from '../../../src/library/server/entry.ts';
import { loaderFlags, moduleUrl, projectRoot } from '../../support/project.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const small = { port: 0, threads: 1, sparqlThreads: 0, logLevel: 'silent' } as const;

async function started(context: TestContext, options: ServerOptions): Promise<Server> {
  const server = await createServer({ ...small, ...options });
  context.after(() => server.close());
  return server;
}

function graphOf({ url }: Server): string {
  return `${url}/context?graph=urn:x:g`;
}

describe('createServer', () => {
  it('starts several servers in a process, each with its own data', async (context) => {
    const handlers = process.eventNames().filter((name) => String(name).startsWith('SIG'));
    const one = await started(context, { memory: true, prefix: ['x=urn:x:'] });
    const other = await started(context, { memory: true, base: 'http://data.example.org' });
    const body = '<urn:x:s> <urn:x:p> "o" .';
    const headers = { 'Content-Type': 'text/turtle' };
    assert.equal((await fetch(graphOf(one), { method: 'PUT', headers, body })).status, 201);
    assert.deepEqual([(await fetch(graphOf(one))).status, (await fetch(graphOf(other))).status], [200, 404]);
    const found = await fetch(`${one.url}/ldpath/path?path=x:p&uri=urn:x:s`);
    assert.deepEqual(await found.json(), [{ type: 'literal', value: 'o' }]);
    assert.deepEqual([one.url, one.base], [`http://127.0.0.1:${one.port}`, `http://localhost:${one.port}`]);
    assert.equal(other.base, 'http://data.example.org');
    await one.close();
    await assert.rejects(fetch(graphOf(one)));
    assert.equal((await fetch(graphOf(other))).status, 404);
    assert.deepEqual(
      process.eventNames().filter((name) => String(name).startsWith('SIG')),
      handlers,
    );
  });

  it('keeps data in a directory, which one server has at a time', async (context) => {
    const data = await temporaryDirectory(context);
    const one = await started(context, { data });
    await assert.rejects(createServer({ ...small, data }), { name: 'ServerError', code: 'data-locked' });
    await one.close();
    const other = await started(context, { data });
    await other.close();
  });

  it('says which option is wrong', async () => {
    const wrong: [object, RegExp][] = [
      [{ port: 70_000 }, /"port" is invalid: expected a whole number from 0 to 65535/],
      [{ port: '8080' }, /"port" is invalid: expected a number/],
      [{ memory: 'no' }, /"memory" is invalid: expected a boolean/],
      [{ load: 'a.ttl' }, /"load" is invalid: expected a list/],
      [{ prefix: [['x', 'urn:x:']] }, /"prefix" is invalid: expected a string/],
      [{ logLevel: 'loud' }, /"logLevel" is invalid: expected one of/],
      [{ threats: 2 }, /Unknown option "threats"; did you mean "threads"\?/],
      [{ toString: 1 }, /Unknown option "toString"/],
    ];
    for (const [options, message] of wrong) {
      await assert.rejects(createServer(options), (error) => {
        assert.ok(error instanceof ServerError);
        assert.equal(error.code, 'bad-option');
        assert.match(error.message, message);
        return true;
      });
    }
  });

  it('says why it did not start, and has closed what it had opened', async (context) => {
    const data = await temporaryDirectory(context);
    const socket = createSocket().listen(0, '127.0.0.1');
    context.after(() => socket.close());
    await once(socket, 'listening');
    const { port } = socket.address() as { port: number };
    await assert.rejects(createServer({ ...small, data, port }), { code: 'start-failed' });
    await assert.rejects(createServer({ ...small, data, host: '0.0.0.0' }), /without credentials/);
    await (await started(context, { data })).close();
  });

  it('takes over new credentials and options while it runs, or changes nothing', async (context) => {
    const file = join(await temporaryDirectory(context), 'credentials');
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const write = (name: string) => writeFile(file, `write ${name} ${hash}`);
    await write('anna');
    const server = await started(context, { memory: true, credentials: file });
    const status = async (name: string) =>
      (await fetch(`${server.url}/health`, { headers: { Authorization: `Bearer ${name}.secret` } })).status;
    await write('berta');
    assert.deepEqual([await status('anna'), await status('berta')], [200, 401]);
    assert.deepEqual(await server.reload(), []);
    assert.deepEqual([await status('anna'), await status('berta')], [401, 200]);
    await writeFile(file, 'nonsense');
    const isFailed = { name: 'ServerError', code: 'reload-failed', message: /credentials/ };
    await assert.rejects(server.reload(), isFailed);
    await assert.rejects(server.reload({ threads: -1 }), { code: 'bad-option' });
    assert.equal(await status('berta'), 200);
    await write('carla');
    const changes = { journalMax: 1_000_000, logLevel: 'error' } as const;
    const results = await Promise.all([
      server.reload(changes),
      server.reload(),
      server.reload({ threads: 2 }),
    ]);
    assert.deepEqual(results, [['journalMax'], ['journalMax'], ['threads', 'journalMax']]);
    assert.equal(await status('carla'), 200);
    const last = server.reload();
    await server.close();
    await last;
    await assert.rejects(server.reload(), { code: 'reload-failed', message: 'The server is closed.' });
  });

  it('lets the process end after close, and closes once', async (context) => {
    const script = `
      const { createServer } = await import('${moduleUrl('src/library/server/entry')}');
      const server = await createServer(${JSON.stringify({ ...small, memory: true, sparqlThreads: 1 })});
      await fetch(server.url + '/sparql?query=ASK{}');
      await Promise.all([server.close(), server.close()]);
      console.log('closed');`;
    const file = join(await temporaryDirectory(context), 'program.mjs');
    await writeFile(file, script);
    const args = [...loaderFlags, file];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
    assert.equal(stdout, 'closed\n');
  });

  it('has the version of the package', () => {
    assert.match(version, /^\d+\.\d+\.\d+/);
  });
});
