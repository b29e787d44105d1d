import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { isLocal } from '../../../src/journal/disk/file-system.ts';
import { JournalError } from '../../../src/journal/errors.ts';
import { lockDirectory, requireUnlocked } from '../../../src/journal/lock/lock.ts';
import { thisProcess } from '../../../src/journal/lock/process-identity.ts';
import { lockHolder } from '../../support/child-lines.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describe('the lock of a data directory', () => {
  it('is not given to a second process, which learns the process that holds it', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory);
    assert.equal(await holder.ask('take'), 'held');
    const error = await lockDirectory(directory).catch((reason: unknown) => reason);
    assert.ok(error instanceof JournalError);
    assert.equal(error.code, 'data-locked');
    assert.equal(error.details.pid, holder.process.pid);
    assert.equal(error.details.host, hostname());
    assert.match(error.message, new RegExp(`process ${holder.process.pid} on .*Z\\.$`));
  });

  it('is not given twice to the same process', async (context) => {
    const directory = await temporaryDirectory(context);
    await lockDirectory(directory);
    await assert.rejects(lockDirectory(directory), { code: 'data-locked' });
    await assert.rejects(requireUnlocked(directory), { code: 'data-locked' });
  });

  it('is available again after its release, and leaves no files', async (context) => {
    const directory = await temporaryDirectory(context);
    const lock = await lockDirectory(directory);
    assert.equal(lock.lease, undefined);
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
    await (await lockDirectory(directory)).release();
  });

  it('is available after its holder was killed, and not while that is only stopped', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory);
    assert.equal(await holder.ask('take'), 'held');
    holder.process.kill('SIGSTOP');
    await assert.rejects(lockDirectory(directory), { code: 'data-locked' });
    await holder.kill();
    await requireUnlocked(directory);
    const lock = await lockDirectory(directory);
    assert.deepEqual(await lockFiles(directory), ['lock.2', 'socket']);
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('works in a directory whose path is longer than the address of a socket', async (context) => {
    const directory = join(await temporaryDirectory(context), 'x'.repeat(120), 'y'.repeat(120));
    const holder = lockHolder(context, directory);
    assert.equal(await holder.ask('take'), 'held');
    await assert.rejects(lockDirectory(directory), { code: 'data-locked' });
    await holder.kill();
    const lock = await lockDirectory(directory);
    assert.equal(lock.lease, undefined);
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('is given to exactly one of 20 processes in every round of releases and kills', async (context) => {
    const directory = await temporaryDirectory(context);
    let starters = Array.from({ length: 20 }, () => lockHolder(context, directory));
    for (let round = 0; round < 30; round++) {
      const answers = await Promise.all(starters.map((starter) => starter.ask('take')));
      const [winner, ...more] = starters.filter((_, i) => answers[i] === 'held');
      assert.ok(winner && more.length === 0, `round ${round}: ${answers}`);
      assert.ok(answers.every((answer) => answer === 'held' || answer === 'data-locked'));
      if (round % 5 !== 4) {
        assert.equal(await winner.ask('release'), 'released');
        assert.deepEqual(await readdir(directory), []);
      } else {
        await winner.kill();
        starters = starters.filter((starter) => starter !== winner);
      }
    }
    assert.equal(starters.length, 14);
  });

  it('is given to exactly one of many concurrent attempts', async (context) => {
    const directory = await temporaryDirectory(context);
    for (let round = 0; round < 40; round++) {
      if (round % 2 === 1) await leaveOldLock(directory, { boot: 'an earlier one' });
      const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)));
      const held = attempts.filter((attempt) => attempt.status === 'fulfilled');
      assert.equal(held.length, 1);
      await held[0]!.value.release();
      assert.deepEqual(await readdir(directory), []);
    }
  });

  it('is available in a copy of a directory that is in use', async (context) => {
    const parent = await temporaryDirectory(context);
    const [directory, copy] = [join(parent, 'data'), join(parent, 'copy')];
    const lock = await lockDirectory(directory);
    await promisify(execFile)('cp', ['-a', directory, copy]);
    await (await lockDirectory(copy)).release();
    assert.deepEqual(await readdir(copy), []);
    await lock.release();
  });

  it('is available after the machine crashed right after the lock was written', async (context) => {
    const directory = await temporaryDirectory(context);
    await writeFile(join(directory, 'lock.1'), '');
    await (await lockDirectory(directory)).release();
  });

  it('is not given while its holder runs with an unreadable lock file, and is available after that', async (context) => {
    for (const text of ['', 'null', '{"pid":']) {
      const directory = await temporaryDirectory(context);
      const holder = lockHolder(context, directory);
      assert.equal(await holder.ask('take'), 'held');
      await writeFile(join(directory, 'lock.1'), text);
      const refused = { code: 'data-locked', message: /in use by .*: if it is not, remove \S+lock\.1$/ };
      await assert.rejects(lockDirectory(directory), refused);
      await assert.rejects(requireUnlocked(directory), refused);
      await holder.kill();
      await (await lockDirectory(directory)).release();
    }
  });

  it('is not given while its holder runs with a removed socket, and is available after that', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory);
    assert.equal(await holder.ask('take'), 'held');
    const socket = (await readdir(directory)).find((name) => name.endsWith('.socket'));
    await rm(join(directory, socket!));
    await assert.rejects(lockDirectory(directory), {
      code: 'data-locked',
      message: new RegExp(`in use by process ${holder.process.pid} .*: if it is not, remove`),
    });
    await holder.kill();
    await (await lockDirectory(directory)).release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('removes the files of starting processes that were killed before they had it', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory);
    assert.equal(await holder.ask('take'), 'held');
    await holder.kill();
    assert.deepEqual(await lockFiles(directory), ['lock.1', 'socket']);
    await writeFile(join(directory, 'lock.new.17'), 'half');
    await rm(join(directory, 'lock.1'));
    await (await lockDirectory(directory)).release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('is kept by the kernel on local file systems, and is not assumed to be elsewhere', async (context) => {
    assert.equal(await isLocal(await temporaryDirectory(context)), true);
    assert.equal(await isLocal('/proc'), process.platform !== 'linux');
  });

  it('may be in use if its socket has no valid name, as the message says', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveOldLock(directory, { socket: '../lock.1.socket' });
    await assert.rejects(lockDirectory(directory), {
      code: 'data-locked',
      message: /can't be determined.*remove/,
    });
  });
});

describe('a lock of an older release', () => {
  it('is taken over after its process has ended', async (context) => {
    const directory = await temporaryDirectory(context);
    for (const changes of [{ started: '1' }, { boot: 'an earlier one' }]) {
      await leaveOldLock(directory, changes);
      await (await lockDirectory(directory)).release();
      assert.deepEqual(await readdir(directory), []);
    }
  });

  it('is respected while its process runs', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveOldLock(directory, {});
    await assert.rejects(lockDirectory(directory), { code: 'data-locked', message: /in use by process/ });
  });

  it('is respected if it comes from another host, and the message says what to do', async (context) => {
    const directory = await temporaryDirectory(context);
    await leaveOldLock(directory, { host: 'elsewhere', started: '1' });
    await assert.rejects(lockDirectory(directory), { code: 'data-locked', message: /on elsewhere .*remove/ });
    assert.deepEqual(await readdir(directory), ['lock.1']);
    assert.match(await readFile(join(directory, 'lock.1'), 'utf8'), /elsewhere/);
  });

  it('recognises the locks of this one', async (context) => {
    const directory = await temporaryDirectory(context);
    await lockDirectory(directory);
    const { pid, host, boot, started, since } = JSON.parse(await readFile(join(directory, 'lock.1'), 'utf8'));
    assert.deepEqual({ pid, host, boot, started }, await thisProcess());
    assert.ok(Date.now() - Date.parse(since) >= 0);
  });
});

/** What is in a directory, without the numbers of sockets. */
async function lockFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.map((name) => (/^lock\.\d+\.socket$/.test(name) ? 'socket' : name)).sort();
}

/** A lock as an older release would have left it in this process, but for the given members. */
async function leaveOldLock(directory: string, changes: Record<string, string>): Promise<void> {
  await mkdir(directory, { recursive: true });
  const holder = { ...(await thisProcess()), since: '2026-01-01T00:00:00.000Z', ...changes };
  await writeFile(join(directory, 'lock.1'), JSON.stringify(holder));
}
