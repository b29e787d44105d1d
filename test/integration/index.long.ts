import { test } from 'node:test';
import { checkKilledIndex } from '../indexing/killed-index.ts';

test('an index equals a new one after 20 kills of server and indexer in 10,000 commits', async (context) => {
  await checkKilledIndex(context, {
    seed: Math.floor(Math.random() * 2 ** 31),
    commits: 10_000,
    kills: 20,
  });
});
