import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSnapshot } from '../../src/snapshot/reader.ts';
import { StoreClient } from '../../src/store/client.ts';
import { ChildLines } from '../support/child-lines.ts';
import { merge } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const writer = fileURLToPath(new URL('../support/numbers-writer.ts', import.meta.url));
const leaseMs = 1_500;

function open(directory: string): Promise<StoreClient> {
  const settings = { journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false, notice: () => {} };
  return StoreClient.open({ ...settings, directory, leaseMs });
}

test('a process that was stopped for longer than its lease has every acknowledged write in the directory, and gets no other', async (context) => {
  const directory = await temporaryDirectory(context);
  for (let round = 1; round <= 3; round++) {
    const child = new ChildLines(context, [
      '--import',
      'tsx',
      writer,
      directory,
      String(leaseMs),
      `${round}.`,
    ]);
    assert.equal(await child.next(), 'opened');
    const acknowledged: string[] = [];
    while (acknowledged.length < 20 * round) acknowledged.push(await child.next());
    child.process.kill('SIGSTOP');
    const store = await open(directory);
    child.process.kill('SIGCONT');
    let line = await child.next();
    for (; /^\d+\.\d+$/.test(line); line = await child.next()) acknowledged.push(line);
    assert.equal(line, 'Writes are off until a restart: another process has taken over the data directory');
    const operations = [merge('urn:x:g', `<urn:s> <urn:p> "round ${round}" .`)];
    assert.ok((await store.commit({ preconditions: [], operations })).ok);
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
    const again = await open(directory);
    assert.equal(again.snapshot.quadCount, quadCount);
    await again.close();
  }
});
