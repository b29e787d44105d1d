import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { backUpRegularly } from '../../../src/cli/backups/intervals.ts';
import { checkRepository, listBackups } from '../../../src/cli/backups/inventory.ts';
import { lockRepository } from '../../../src/cli/backups/repository-lock.ts';
import { restore } from '../../../src/cli/backups/restoring/restore.ts';
import { backupOnce } from '../../../src/cli/backups/round.ts';
import { load } from '../../../src/load/load.ts';
import { BackedUpStore } from '../../support/backed-up-store.ts';
import { around, CHECKPOINT_ALWAYS, filled, objectsOf, taskOf } from '../../support/backups.ts';
import { drop, merge } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;

/** The day (UTC) of a time in milliseconds since 1970. */
function dayOf(time: number): number {
  return Math.floor(time / (24 * HOUR_MS));
}

describe('a backup in a repository', () => {
  it('copies only what is new', async (context) => {
    const history = await filled(context);
    const first = await history.backUp();
    assert.ok(first.addedBytes > 0);
    const objects = await objectsOf(history.repository);
    const again = await history.backUp();
    assert.equal(again.addedBytes, 0);
    await history.add('3');
    const third = await history.backUp();
    assert.ok(third.addedBytes < 400, `${third.addedBytes}`);
    assert.equal((await objectsOf(history.repository)).length, objects.length + 1);
    assert.equal((await checkRepository(history.repository)).damaged, false);
  });

  it('is only for the owner of the data, as their content is', async (context) => {
    const history = await filled(context);
    await chmod(history.directory, 0o755);
    await history.backUp();
    const modeOf = async (name: string) => (await stat(join(history.repository, name))).mode & 0o777;
    assert.equal(await modeOf(''), 0o755);
    for (const part of ['backups', 'objects', 'incoming']) assert.equal(await modeOf(part), 0o700, part);
  });

  it('goes on after an interruption at each step, and has everything then', async (context) => {
    const history = await filled(context);
    for (let step = 1, interrupted = true; interrupted; step++) {
      let shown = 0;
      const show = () => {
        if (++shown === step) throw new Error('interrupted');
      };
      const made = backupOnce(taskOf(history), around(history, { display: { show } }));
      interrupted = await made.then(
        () => false,
        (error: Error) => error.message === 'interrupted' || Promise.reject(error),
      );
    }
    const { contents } = history.states.get(history.newest)!;
    for (const digest of contents) history.saved.add(digest);
    for (const commit of [1, 2, 3, 4]) await history.verify({ kind: 'commit', commit }, commit);
    assert.deepEqual(await readdir(join(history.repository, 'incoming')), []);
  });

  it('ends by a signal also between two records', async (context) => {
    const history = await BackedUpStore.open(context);
    await history.add('1');
    const interruption = new AbortController();
    const show = (what: string) => {
      if (what.startsWith('copying commits')) interruption.abort(new Error('ended'));
    };
    const others = { display: { show }, signal: interruption.signal };
    await assert.rejects(backupOnce(taskOf(history), around(history, others)), /ended/);
  });

  it('says which commits are lost when the server has dropped them', async (context) => {
    const history = await BackedUpStore.open(context, { journalMax: 64 });
    await history.add('1');
    await history.backUp();
    for (const value of ['2', '3', '4']) await history.add(value);
    await history.maintain();
    await history.add('5');
    const { manifest } = await history.backUp();
    assert.deepEqual(manifest.gap, { first: 2, last: 3 });
    for (const commit of [0, 1, 4, 5]) await history.verify({ kind: 'commit', commit }, commit);
    const lost = history.verify({ kind: 'commit', commit: 3 }, 3);
    await assert.rejects(lost, { code: 'not-found', message: /can be restored: 0 to 1, 4 to 5\./ });
    const between = history.verify({ kind: 'time', time: history.states.get(3)!.time }, 3);
    await assert.rejects(between, { code: 'not-found' });
    const lines = await listBackups(history.repository);
    assert.ok(lines.some((line) => line.endsWith('lost: commits 2 to 3')));
  });

  it('begins a new history after a load, whose statements are in no record', async (context) => {
    const history = await BackedUpStore.open(context, CHECKPOINT_ALWAYS);
    await history.add('1');
    await history.add('2');
    await history.backUp();
    await history.store.close();
    const file = join(await temporaryDirectory(context), 'a.nt');
    await writeFile(file, '<urn:s> <urn:p> "loaded" .');
    const { directory } = history;
    const { signal } = new AbortController();
    await load({
      directory,
      files: [file],
      graph: 'urn:x:g',
      showsProgress: false,
      notice: assert.fail,
      signal,
    });
    await history.start();
    await history.add('4');
    await history.maintain();
    await history.add('5');
    const { manifest } = await history.backUp();
    assert.deepEqual(manifest.gap, { first: 3, last: 3 });
    for (const commit of [0, 1, 2, 4, 5]) await history.verify({ kind: 'commit', commit }, commit);
    await assert.rejects(history.verify({ kind: 'commit', commit: 3 }, 3), { code: 'not-found' });
  });

  it('begins a new history if records that it has were replaced by others', async (context) => {
    const history = await BackedUpStore.open(context);
    await history.add('1');
    await history.store.close();
    const before = join(await temporaryDirectory(context), 'before');
    await cp(history.directory, before, { recursive: true });
    await history.start();
    await history.add('2');
    await history.backUp();
    // As after a power cut that took a record which nobody was told of.
    await history.store.close();
    await rm(history.directory, { recursive: true });
    await cp(before, history.directory, { recursive: true });
    history.states.delete(2);
    await history.start();
    await history.add('other');
    await history.add('3');
    await history.backUp();
    for (const commit of [1, 2, 3]) await history.verify({ kind: 'commit', commit }, commit);
  });

  it('is not made for another data set, nor in a directory with other files', async (context) => {
    const history = await filled(context);
    await history.backUp();
    const other = await filled(context);
    const task = { ...taskOf(other), repository: history.repository };
    await assert.rejects(backupOnce(task, around(other)), {
      code: 'bad-arguments',
      message: /Give this one a directory of its own/,
    });
    const taken = await temporaryDirectory(context);
    await writeFile(join(taken, 'mine'), 'text');
    const inTaken = backupOnce({ ...taskOf(other), repository: taken }, around(other));
    await assert.rejects(inTaken, { code: 'bad-arguments', message: /contains mine/ });
    await mkdir(join(taken, 'empty'));
    const nothing = restore(
      { from: join(taken, 'empty'), target: join(taken, 'new'), point: undefined },
      around(other),
    );
    await assert.rejects(nothing, { code: 'not-found' });
  });

  it('is refused while another process writes, and takes over the lock of one that has ended', async (context) => {
    const history = await filled(context);
    await history.backUp();
    const lock = await lockRepository(history.repository, () => {});
    await assert.rejects(history.backUp(), {
      code: 'data-locked',
      message: /is writing to the backup repository .* Wait until it has ended\.$/,
    });
    await lock.release();
    await writeFile(join(history.repository, 'lock.1'), lockOfEnded());
    await history.backUp();
    assert.deepEqual(
      (await readdir(history.repository)).filter((name) => name.startsWith('lock')),
      [],
    );
  });
});

/** A lock whose holder does not renew it any more. */
function lockOfEnded(): string {
  const holder = { pid: 2 ** 22, host: hostname(), boot: 'earlier', started: '1' };
  return `${JSON.stringify({ ...holder, since: '2026-11-23T00:00:00Z', id: 'x', leaseMs: 1, beat: '0' })}\n`;
}

describe('the retention of backups', () => {
  it('keeps every commit of the first time, and one state of each day after it', async (context) => {
    const history = await filled(context);
    const keep = { allMs: 3 * HOUR_MS, dailyMs: 72 * HOUR_MS };
    const newest: number[] = [];
    for (let hour = 0; hour < 36; hour++) {
      history.clock += HOUR_MS;
      await history.add(`hour ${hour}`);
      if (hour % 7 === 0)
        await history.commit(drop('urn:x:big'), merge('urn:x:big', `<urn:s> <urn:p> "${hour}" .`));
      if (hour % 9 === 0) await history.maintain();
      await backupOnce({ ...taskOf(history), keep }, around(history));
      newest.push(history.newest);
    }
    for (const { contents } of history.states.values()) for (const each of contents) history.saved.add(each);
    assert.equal((await checkRepository(history.repository)).damaged, false);
    const from = newest.at(-4)!;
    for (let commit = from; commit <= history.newest; commit++) {
      await history.verify({ kind: 'commit', commit }, commit);
    }
    const lastOfDay = new Map(newest.map((commit) => [dayOf(history.states.get(commit)!.time), commit]));
    for (const commit of lastOfDay.values()) await history.verify({ kind: 'commit', commit }, commit);
    const lines = await listBackups(history.repository);
    assert.match(lines[0]!, /: [56]$/);
  });

  it('removes no file while a manifest is damaged', async (context) => {
    const history = await filled(context);
    await history.backUp();
    const [name = ''] = await readdir(join(history.repository, 'backups'));
    const path = join(history.repository, 'backups', name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"commit":4', '"commit":5'));
    const objects = await objectsOf(history.repository);
    history.clock += 100 * HOUR_MS;
    const keep = { allMs: HOUR_MS, dailyMs: 0 };
    await backupOnce({ ...taskOf(history), keep }, around(history));
    history.clock += 100 * HOUR_MS;
    await backupOnce({ ...taskOf(history), keep }, around(history));
    assert.match(history.notices.join('\n'), /can't be read/);
    const left = await objectsOf(history.repository);
    for (const object of objects) assert.ok(left.includes(object));
    await writeFile(path, text);
    await history.verify({ kind: 'commit', commit: 4 }, 4);
  });
});

describe('damage in a repository', () => {
  it('is found by check and by a restore, which then leaves nothing', async (context) => {
    const history = await filled(context);
    await history.backUp();
    const target = join(await temporaryDirectory(context), 'new');
    for (const object of await objectsOf(history.repository)) {
      const path = join(history.repository, 'objects', object);
      const bytes = await readFile(path);
      if (bytes.length === 0) continue;
      const damaged = Buffer.from(bytes);
      damaged[bytes.length >> 1]! ^= 1;
      await writeFile(path, damaged);
      const { lines, damaged: found } = await checkRepository(history.repository);
      assert.ok(found && lines.some((line) => line.includes(object.slice(3))), lines.join('\n'));
      const point = { kind: 'commit', commit: 4 } as const;
      const task = { from: history.repository, target, point };
      const outcome = await restore(task, around(history)).catch((error: { code?: string }) => error);
      const isMissing = 'missing' in outcome && outcome.missing.length > 0;
      const isList = /^[0-9a-f\n]*$/.test(bytes.toString('latin1'));
      assert.ok(isMissing || isList || ('code' in outcome && outcome.code === 'data-damaged'));
      await rm(target, { recursive: true, force: true });
      await writeFile(path, bytes);
    }
    assert.equal((await checkRepository(history.repository)).damaged, false);
    await history.verify({ kind: 'commit', commit: 4 }, 4);
  });
});

describe('a backup after damage', () => {
  it('copies again what was deleted from the repository', async (context) => {
    const history = await filled(context);
    await history.put('urn:x:r', 'content');
    await history.backUp();
    for (const object of await objectsOf(history.repository)) {
      await rm(join(history.repository, 'objects', object));
    }
    await history.add('after');
    await history.backUp();
    await history.verify({ kind: 'commit', commit: history.newest }, history.newest);
  });

  it('leaves out damaged content, says so, and has everything else', async (context) => {
    const history = await filled(context);
    await history.put('urn:x:r', 'content');
    const content = join(history.directory, 'content');
    const names = await readdir(content, { recursive: true });
    const file = names.find((name) => /^..\/[0-9a-f]{64}$/.test(name))!;
    await writeFile(join(content, file), 'damaged');
    await history.backUp();
    assert.match(history.notices.join('\n'), /does not match its digest\. It is not in this backup/);
    const target = join(await temporaryDirectory(context), 'new');
    const { missing } = await restore(
      { from: history.repository, target, point: undefined },
      around(history),
    );
    assert.deepEqual(
      missing.map(({ digest }) => digest),
      [file.slice(3)],
    );
  });
});

describe('the commit at a time', () => {
  it('follows the clock of the server, also if that of a backup was ahead', async (context) => {
    const history = await filled(context);
    const { clock } = history;
    history.clock += 1000 * HOUR_MS;
    await history.backUp();
    history.clock = clock;
    await history.add('later');
    const { newest } = history;
    await history.backUp();
    await history.verify({ kind: 'time', time: history.states.get(newest)!.time }, newest);
  });
});

describe('backups at intervals', () => {
  it('do not begin another repository where the disk of theirs is not mounted any more', async (context) => {
    const history = await filled(context);
    const interruption = new AbortController();
    const { signal } = interruption;
    let made = 0;
    const notice = (line: string) => {
      if (line.includes('backed up') && ++made === 1) rmSync(history.repository, { recursive: true });
      if (made > 1 || line.includes('no backup was made')) interruption.abort('SIGTERM');
    };
    const failure = await backUpRegularly(taskOf(history), 20, { ...around(history), notice, signal });
    assert.match(String(failure), /has no pathpool-backups\.json any more/);
    assert.equal(existsSync(history.repository), false);
  });

  it('go on after one that fails, and end by a signal', async (context) => {
    const history = await filled(context);
    const interruption = new AbortController();
    const lines: string[] = [];
    const blocked = join(history.repository, 'mine');
    await mkdir(history.repository);
    await writeFile(blocked, 'text');
    const notice = (line: string) => {
      lines.push(line);
      if (lines.length === 1) void rm(blocked);
      if (line.includes('backed up')) interruption.abort('SIGTERM');
    };
    const { signal } = interruption;
    const failure = await backUpRegularly(taskOf(history), 20, {
      ...around(history),
      notice,
      signal,
      now: Date.now,
    });
    assert.equal(failure, undefined);
    assert.match(lines[0]!, /no backup was made: .* contains mine\. It is tried again later\./);
    assert.match(lines.at(-1)!, /up to commit 4/);
    history.saved.add(history.states.get(4)!.contents[0]!);
    history.clock = Date.now();
    await history.verify({ kind: 'commit', commit: 4 }, 4);
  });
});
