import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { requireLease } from '../../../src/journal/lock/lease.ts';
import { lockDirectory, requireUnlocked } from '../../../src/journal/lock/lock.ts';
import { ChildLines, lockHolder } from '../../support/child-lines.ts';
import { scriptArguments } from '../../support/project.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

// Long enough for a holder that gets little of a busy machine.
const leaseMs = 3_000;

describe('the lease of a data directory', () => {
  it('is not given to others as long as its holder renews it', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory, { leaseMs });
    assert.equal(await holder.ask('take'), 'held');
    const notices: string[] = [];
    const notice = (message: string) => notices.push(message);
    await assert.rejects(lockDirectory(directory, { leaseMs, notice }), {
      code: 'data-locked',
      message: new RegExp(`in use by process ${holder.process.pid} `),
    });
    assert.match(notices.join(), /^Waiting 3 s to see whether process \d+ on .* still renews its lease of /);
    notices.length = 0;
    await assert.rejects(requireUnlocked(directory, notice), { code: 'data-locked' });
    assert.match(notices.join(), /^Waiting 3 s /);
    // Also to one that would have the kernel hold its own lock.
    await assert.rejects(lockDirectory(directory), { code: 'data-locked' });
  });

  it('is available again after its release, and leaves no files', async (context) => {
    const directory = await temporaryDirectory(context);
    const lock = await lockDirectory(directory, { leaseMs });
    await assert.rejects(lockDirectory(directory, { leaseMs }), { code: 'data-locked' });
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
    await (await lockDirectory(directory, { leaseMs })).release();
  });

  it('is given to exactly one of several after its holder has died', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory, { leaseMs });
    assert.equal(await holder.ask('take'), 'held');
    await holder.kill();
    const attempts = await Promise.allSettled([1, 2, 3, 4].map(() => lockDirectory(directory, { leaseMs })));
    const held = attempts.filter((attempt) => attempt.status === 'fulfilled');
    assert.equal(held.length, 1);
    assert.deepEqual(await readdir(directory), ['lock.2', 'lock.fence']);
    await held[0]!.value.noteFenced();
    assert.deepEqual(await readdir(directory), ['lock.2']);
    await held[0]!.value.release();
  });

  it('is lost by a holder that is stopped for longer, which notices and does not disturb the new holder', async (context) => {
    const directory = await temporaryDirectory(context);
    const holder = lockHolder(context, directory, { leaseMs });
    assert.equal(await holder.ask('take'), 'held');
    const { id } = JSON.parse(await readFile(join(directory, 'lock.1'), 'utf8')) as { id: string };
    const old = { file: join(directory, 'lock.1'), id };
    await requireLease(old);
    holder.process.kill('SIGSTOP');
    const lock = await lockDirectory(directory, { leaseMs });
    await assert.rejects(requireLease(old), { code: 'writes-disabled', message: /taken over/ });
    assert.ok(lock.lease);
    await requireLease(lock.lease);
    holder.process.kill('SIGCONT');
    assert.equal(await holder.next(), 'lost');
    assert.equal(await holder.ask('release'), 'released');
    await requireLease(lock.lease);
    await lock.noteFenced();
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('requires a fence from every new holder until the journal has been replaced', async (context) => {
    const directory = await temporaryDirectory(context);
    const stopped = lockHolder(context, directory, { leaseMs });
    assert.equal(await stopped.ask('take'), 'held');
    stopped.process.kill('SIGSTOP');
    // It ends before it has replaced the journal.
    const killed = lockHolder(context, directory);
    assert.equal(await killed.ask('take'), 'held');
    await killed.kill();
    // It releases the directory, since it can't use it.
    const next = await lockDirectory(directory);
    assert.equal(next.lease, undefined);
    assert.equal(next.needsFence, true);
    await next.release();
    const last = await lockDirectory(directory);
    assert.equal(last.needsFence, true);
    await last.noteFenced();
    await last.release();
    assert.deepEqual(await readdir(directory), []);
    const free = await lockDirectory(directory);
    assert.equal(free.needsFence, false);
    await free.release();
  });

  it('is not mistaken by an older holder for its own if the number of the lock recurs', async (context) => {
    const directory = await temporaryDirectory(context);
    const first = await lockDirectory(directory, { leaseMs });
    assert.ok(first.lease);
    await first.release();
    const second = await lockDirectory(directory, { leaseMs });
    assert.equal(second.lease?.file, first.lease.file);
    await assert.rejects(requireLease(first.lease), { code: 'writes-disabled' });
    await second.release();
  });

  it('is confirmed when the process temporarily has no file descriptor', async (context) => {
    const directory = await temporaryDirectory(context);
    const limited = ['bash', '-c', 'ulimit -n 100; exec "$@"', '--'];
    const child = new ChildLines(
      context,
      [...scriptArguments('test/support/descriptor-eater'), directory],
      limited,
    );
    assert.equal(await child.next(), 'held');
  });

  it('disables writes with a reason if its state is unknown', async (context) => {
    const directory = await temporaryDirectory(context);
    // Reading a directory fails as a broken disk does.
    await assert.rejects(requireLease({ file: directory, id: 'mine' }), {
      code: 'writes-disabled',
      message: /still owns the data directory \(EISDIR/,
    });
  });

  it('is kept while the holder lives, and released if the holder ends during a renewal', async (context) => {
    const directory = await temporaryDirectory(context);
    for (let round = 0; round < 20; round++) {
      const lock = await lockDirectory(directory, { leaseMs: 10 });
      const text = await readFile(join(directory, 'lock.1'), 'utf8');
      while ((await readFile(join(directory, 'lock.1'), 'utf8')) === text);
      await lock.release();
      assert.deepEqual(await readdir(directory), []);
    }
  });
});
