import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { StoreClient } from '../../src/store/main/client.ts';
import { ChildLines } from '../support/child-lines.ts';
import { scriptArguments } from '../support/project.ts';
import { merge } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const leaseMs = 1_500;

/** Without `lease` the kernel holds the lock. */
function open(directory: string, lease?: number): Promise<StoreClient> {
  const settings = { journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false, notice: () => {} };
  return StoreClient.open({ ...settings, directory, leaseMs: lease });
}

/** A process that commits numbers, and has its directory by a lease. */
function startWriter(context: TestContext, directory: string, prefix: string): ChildLines {
  return new ChildLines(context, [
    ...scriptArguments('test/support/numbers-writer'),
    directory,
    String(leaseMs),
    prefix,
  ]);
}

async function commitText(store: StoreClient, text: string): Promise<void> {
  const operations = [merge('urn:x:g', `<urn:s> <urn:p> "${text}" .`)];
  const result = await store.commit({ preconditions: [], operations });
  assert.ok(result.ok, JSON.stringify(result));
}

/**
 * The numbers that it still gets acknowledged; it must end because the directory was taken over.
 */
async function lastNumbers(child: ChildLines): Promise<string[]> {
  const numbers: string[] = [];
  let line = await child.next();
  for (; /^\d+\.\d+$/.test(line); line = await child.next()) numbers.push(line);
  assert.equal(
    line,
    'Writes are disabled until a restart: another process has taken over the data directory',
  );
  return numbers;
}

test('a process stopped for longer than its lease has all acknowledged writes on disk, and no other write succeeds', async (context) => {
  const directory = await temporaryDirectory(context);
  for (let round = 1; round <= 3; round++) {
    const child = startWriter(context, directory, `${round}.`);
    assert.equal(await child.next(), 'opened');
    const acknowledged: string[] = [];
    while (acknowledged.length < 20 * round) acknowledged.push(await child.next());
    child.process.kill('SIGSTOP');
    const store = await open(directory, leaseMs);
    child.process.kill('SIGCONT');
    acknowledged.push(...(await lastNumbers(child)));
    await commitText(store, `round ${round}`);
    child.process.stdin!.end();
    await child.ended;

    const reader = openSnapshot(store.snapshot);
    for (const number of acknowledged) assert.notEqual(reader.find(`"${number}"`), 0, number);
    const { quadCount } = reader;
    await store.close();
    const names = await readdir(directory);
    assert.deepEqual(
      names.filter((name) => name.startsWith('lock')),
      [],
    );
    const again = await open(directory, leaseMs);
    assert.equal(again.snapshot.quadCount, quadCount);
    await again.close();
  }
});

test('a process learns that its store thread lost the directory before it gets the response', async (context) => {
  const directory = await temporaryDirectory(context);
  // Its renewals come too late to find it.
  const store = await open(directory, 3_600_000);
  await commitText(store, '1');
  await rm(join(directory, 'lock.1'));
  const operations = [merge('urn:x:g', '<urn:s> <urn:p> "2" .')];
  const result = await store.commit({ preconditions: [], operations });
  assert.ok(!result.ok);
  assert.deepEqual(store.writeError, result.error);
  await store.lost;
  await store.close();
});

for (const [holder, lease] of [
  ['a process whose lock the kernel holds', undefined],
  ['another process with a lease', leaseMs],
] as const) {
  test(`the commits of ${holder} survive when the stopped process resumes`, async (context) => {
    const directory = await temporaryDirectory(context);
    const child = startWriter(context, directory, '1.');
    assert.equal(await child.next(), 'opened');
    const acknowledged = [await child.next(), await child.next()];
    child.process.kill('SIGSTOP');
    const store = await open(directory, lease);
    for (let i = 1; i <= 20; i++) await commitText(store, `before ${i}`);
    child.process.kill('SIGCONT');
    acknowledged.push(...(await lastNumbers(child)));
    for (let i = 1; i <= 5; i++) await commitText(store, `after ${i}`);
    child.process.stdin!.end();
    await child.ended;
    await store.close();

    const names = await readdir(directory);
    assert.ok(!names.some((name) => name.startsWith('lock')), names.join());
    const again = await open(directory);
    const reader = openSnapshot(again.snapshot);
    for (let i = 1; i <= 20; i++) acknowledged.push(`before ${i}`);
    for (let i = 1; i <= 5; i++) acknowledged.push(`after ${i}`);
    for (const text of acknowledged) assert.notEqual(reader.find(`"${text}"`), 0, text);
    await again.close();
  });
}
