import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { JournalError } from '../../src/journal/errors.ts';
import { lockDirectory } from '../../src/journal/lock.ts';
import { thisProcess } from '../../src/journal/process-identity.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const lockModule = new URL('../../src/journal/lock.ts', import.meta.url).href;

/** Takes the lock, says how that went, and holds it until it is killed. */
const starter = `
  const { lockDirectory } = await import(${JSON.stringify(lockModule)});
  await lockDirectory(process.argv[1]).then(
    () => console.log('held'),
    (error) => console.log(error.code),
  );
  setInterval(() => {}, 1000);
`;

describe('the lock of a data directory', () => {
  it('is refused to a second process, which is told who holds it', async (context) => {
    const directory = await temporaryDirectory(context);
    const { child, answer } = start(context, directory);
    assert.equal(await answer, 'held');
    const error = await lockDirectory(directory).catch((reason: unknown) => reason);
    assert.ok(error instanceof JournalError);
    assert.equal(error.code, 'data-locked');
    assert.equal(error.details.pid, child.pid);
    assert.equal(error.details.host, hostname());
    assert.match(error.message, new RegExp(`process ${child.pid} `));
  });

  it('is refused to the same process a second time', async (context) => {
    const directory = await temporaryDirectory(context);
    await lockDirectory(directory);
    await assert.rejects(lockDirectory(directory), { code: 'data-locked' });
  });

  it('can be had again after it was released, and leaves nothing behind', async (context) => {
    const directory = await temporaryDirectory(context);
    const lock = await lockDirectory(directory);
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
    await (await lockDirectory(directory)).release();
  });

  it('can be had after its holder was killed', async (context) => {
    const directory = await temporaryDirectory(context);
    const { child, answer } = start(context, directory);
    assert.equal(await answer, 'held');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await lockDirectory(directory);
    assert.deepEqual(await readdir(directory), ['lock.2']);
  });

  it('goes to exactly one of several starters when its holder is dead', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveLock(directory, { started: 'before' });
    const starters = Array.from({ length: 5 }, () => start(context, directory));
    const answers = await Promise.all(starters.map(({ answer }) => answer));
    assert.deepEqual(answers.sort(), [...Array(4).fill('data-locked'), 'held']);
  });

  it('goes to exactly one of many concurrent attempts', async (context) => {
    const directory = await temporaryDirectory(context);
    for (let round = 0; round < 20; round++) {
      if (round % 2 === 1) await leaveLock(directory, { boot: 'an earlier one' });
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const held = attempts.filter((attempt) => attempt.status === 'fulfilled');
      assert.equal(held.length, 1);
      await held[0]!.value.release();
      assert.deepEqual(await readdir(directory), []);
    }
  });

  it('is not taken for held by another process that was given the same number', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveLock(directory, { started: '1' });
    await (await lockDirectory(directory)).release();
  });

  it('can be had when the machine went down just after it was written', async (context) => {
    const directory = await temporaryDirectory(context);
    await writeFile(join(directory, 'lock.1'), '');
    await (await lockDirectory(directory)).release();
  });

  it('is respected when another host holds it', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveLock(directory, { host: 'elsewhere', started: '1' });
    await assert.rejects(lockDirectory(directory), { code: 'data-locked', message: /on elsewhere .*remove/ });
    assert.deepEqual(await readdir(directory), ['lock.1']);
    assert.match(await readFile(join(directory, 'lock.1'), 'utf8'), /elsewhere/);
  });
});

function start(context: TestContext, directory: string): { child: ChildProcess; answer: Promise<string> } {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', starter, directory],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  context.after(() => child.kill('SIGKILL'));
  const answer = once(child.stdout!, 'data').then(([line]) => String(line).trim());
  return { child, answer };
}

/** A lock as this process would have left it, but for the given members. */
async function leaveLock(directory: string, changes: Record<string, string>): Promise<void> {
  const holder = { ...(await thisProcess()), since: '2026-01-01T00:00:00.000Z', ...changes };
  await writeFile(join(directory, 'lock.1'), JSON.stringify(holder));
}
