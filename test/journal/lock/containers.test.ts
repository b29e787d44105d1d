import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { lockDirectory } from '../../../src/journal/lock/lock.ts';
import { lockHolder } from '../../support/child-lines.ts';
import { inContainer, withoutContainers } from '../../support/containers.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describe('the lock of a directory that containers share', { skip: withoutContainers }, () => {
  it('is not given to a second container whose process has the same number and host name', async (context) => {
    const directory = await temporaryDirectory(context);
    const prefix = inContainer('pathpool');
    const [first, second] = [1, 2].map(() => lockHolder(context, directory, { prefix }));
    assert.equal(await first!.ask('take'), 'held');
    assert.equal(await second!.ask('take'), 'data-locked');
    await assert.rejects(lockDirectory(directory), /in use by process 1 on pathpool since/);
    assert.equal(await first!.ask('release'), 'released');
    assert.equal(await second!.ask('take'), 'held');
  });

  it('is available at once to a container of another name after the first was killed', async (context) => {
    const directory = await temporaryDirectory(context);
    const first = lockHolder(context, directory, { prefix: inContainer('pod-a') });
    assert.equal(await first.ask('take'), 'held');
    await first.kill();
    const second = lockHolder(context, directory, { prefix: inContainer('pod-b') });
    assert.equal(await second.ask('take'), 'held');
    assert.equal(await second.ask('release'), 'released');
    assert.deepEqual(await readdir(directory), []);
  });

  it('is given to exactly one of several containers that start together', async (context) => {
    const directory = await temporaryDirectory(context);
    const starters = Array.from({ length: 6 }, (_, i) =>
      lockHolder(context, directory, { prefix: inContainer(`pod-${i % 2}`) }),
    );
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(starters.map((starter) => starter.ask('take')));
      const winners = starters.filter((_, i) => answers[i] === 'held');
      assert.equal(winners.length, 1, answers.join());
      await winners[0]!.ask('release');
    }
  });
});
