import assert from 'node:assert/strict';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it, type TestContext } from 'node:test';
import { restore } from '../../src/cli/backups/restoring/restore.ts';
import { exportQuads } from '../../src/cli/export.ts';
import { noDisplay } from '../../src/cli/work-display.ts';
import { below } from '../simulation/random-transactions.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { runPathpool, type ServerProcess, spawnPathpool, startServer } from '../support/server-process.ts';
import { linesOf } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const KILLS = Number(process.env['KILLS'] ?? 2);

/** The number of the commit that a response names. */
function commitOf(response: Response): number {
  return Number(response.headers.get('Pathpool-Commit')?.split('.')[1]);
}

/** Writes until it is stopped, and remembers the data at each commit. */
class Writer {
  readonly states = new Map<number, string[]>();
  isStopped = false;

  async run({ url }: ServerProcess): Promise<void> {
    for (let i = 0; !this.isStopped; i++) {
      const graph = `${url}/context?graph=urn:x:g${i % 3}`;
      const headers = { 'Content-Type': 'text/turtle' };
      const isDrop = i % 10 === 9;
      const written = isDrop
        ? await fetch(graph, { method: 'DELETE' })
        : await fetch(graph, { method: 'PUT', headers, body: `<urn:x:s> <urn:x:n> ${i} .` });
      assert.ok(written.ok, `${written.status}`);
      const data = await fetch(`${url}/dataset`, { headers: { Accept: 'application/n-quads' } });
      this.states.set(commitOf(written), (await data.text()).split('\n').filter(Boolean).sort());
    }
  }
}

/** Backs up again and again, and kills the process after so many changes in the repository. */
async function killedBackup(
  context: TestContext,
  args: readonly string[],
  incoming: string,
  changes: number,
): Promise<void> {
  const child = spawnPathpool(context, args);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let left = changes;
  const watcher = watch(incoming, () => {
    if (--left <= 0) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  watcher.close();
  assert.equal(signal, 'SIGKILL', errors);
}

async function verify(
  context: TestContext,
  from: string,
  [commit, state]: [number, string[]],
): Promise<void> {
  const target = join(await temporaryDirectory(context), 'restored');
  const watcher = { notice: () => {}, display: noDisplay, now: Date.now };
  await restore({ from, target, point: { kind: 'commit', commit } }, watcher);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await exportQuads(target, undefined, () => {}, noDisplay)) chunks.push(chunk);
  assert.deepEqual(linesOf(chunks), state, `commit ${commit}`);
}

it('backups beside a server, killed at random places, have every commit', async (context) => {
  const random = seededRandom(SEED);
  const data = join(await temporaryDirectory(context), 'data');
  const repository = join(await temporaryDirectory(context), 'backups');
  const server = await startServer(context, ['--data', data]);
  const content = `${server.url}/content/text/plain?uri=urn:x:text`;
  const headers = { 'Content-Type': 'text/plain' };
  assert.ok((await fetch(content, { method: 'PUT', headers, body: 'some text' })).ok);
  const once = ['backup', data, repository, '--keep', 'all'];
  assert.equal((await runPathpool(once)).status, 0);
  const writer = new Writer();
  const writing = writer.run(server);
  for (let kill = 0; kill < KILLS; kill++) {
    const args = ['backup', data, repository, '--every', '1s', '--keep', '1h'];
    await killedBackup(context, args, join(repository, 'incoming'), 1 + below(random, 12));
  }
  writer.isStopped = true;
  await writing;
  const { status, out, err } = await runPathpool(once);
  assert.equal(status, 0, err);
  const newest = Math.max(...writer.states.keys());
  assert.match(out, new RegExp(`up to commit ${newest}: \\d+ bytes added`));
  assert.match((await runPathpool(['check', repository])).out, /all is well/);
  const states = [...writer.states].filter((_, place) => place % Math.ceil(writer.states.size / 6) === 0);
  for (const state of states) await verify(context, repository, state);
  const target = join(await temporaryDirectory(context), 'restored');
  const restored = await runPathpool(['restore', repository, target, '--to', `${newest}`]);
  assert.deepEqual(restored, {
    status: 0,
    out: `restored commit ${newest} to ${target}, as a new data set\n`,
    err: '',
  });
  const again = await startServer(context, ['--data', target]);
  const found = await fetch(`${again.url}/content/text/plain?uri=urn:x:text`);
  assert.equal(await found.text(), 'some text');
  const { position } = (await (await fetch(`${server.url}/changes`)).json()) as { position: string };
  const since = `${again.url}/changes?since=${position}`;
  assert.equal((await fetch(since)).status, 410);
});

it('backups at intervals end in order by SIGTERM', async (context) => {
  const data = join(await temporaryDirectory(context), 'data');
  const repository = join(await temporaryDirectory(context), 'backups');
  const server = await startServer(context, ['--data', data]);
  const child = spawnPathpool(context, ['backup', data, repository, '--every', '1h']);
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stderr! })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, `pathpool: ${repository} is a new backup repository.`);
  assert.match((await lines.next()).value ?? '', /^pathpool: \S+Z backed up .* up to commit \d+/);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  const plain = await runPathpool(['backup', data, repository]);
  assert.equal(plain.status, 2);
  assert.match(plain.err, /is a backup repository: add a backup with --keep all/);
  await server.end('SIGTERM');
});
