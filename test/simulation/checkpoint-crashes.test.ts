import { test } from 'node:test';
import { callInThread } from '../support/in-thread.ts';

const call = (name: string) => callInThread('test/simulation/checkpoint-crashes', name);

test('a power cut at any step of a checkpoint loses nothing', async () => {
  await call('cutDuringCheckpoint');
});

test('nor does one during commits at the end of a checkpoint', async () => {
  await call('cutDuringCommitsAtItsEnd');
});

test('nor does a kill at any step of it, with a power cut at any step of the next start', async () => {
  await call('killThenCut');
});
