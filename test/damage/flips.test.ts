import { test } from 'node:test';
import { runFlips } from './flips.ts';

// All of them, and many more: npm run test:long.
test('a start on a directory with a flipped bit fails with a clear message, or serves the right data', async (context) => {
  const kinds = ['image', 'manifest', 'journal', 'patch', 'seal', 'identity', 'lock', 'content'] as const;
  await runFlips(context, { count: 72, seed: 1, kinds });
});
