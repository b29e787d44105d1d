/** npm run test:long: FLIPS=2000 SEED=1 are the defaults. */
import { test } from 'node:test';
import { runFlips } from './flips.ts';

const count = Number(process.env['FLIPS'] ?? 2000);
const seed = Number(process.env['SEED'] ?? 1);

test(`${count} starts on directories with a flipped bit fail with a clear message, or serve the right data`, async (context) => {
  const kinds = ['image', 'manifest', 'journal', 'patch', 'seal', 'identity', 'lock', 'content'] as const;
  await runFlips(context, { count, seed, kinds });
});
