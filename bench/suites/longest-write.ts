import { requireGood, type Stage } from '../stage.ts';
import { smallWrites } from './durability.ts';

export const WRITES_A_SECOND = 20;
/** They are watched in slices of so many seconds. */
const WATCH_SECONDS = 2;

/** The longest latency of small writes until `work` is done, in milliseconds. */
export async function longestWriteWhile(stage: Stage, url: string, work: Promise<void>): Promise<number> {
  let working = true;
  const done = work.finally(() => {
    working = false;
  });
  // Its failure is reported below, after the slice.
  done.catch(() => {});
  const target = { url, requests: smallWrites() };
  let longest = 0;
  while (working) {
    const result = requireGood(await stage.open(target, WRITES_A_SECOND, WATCH_SECONDS), 'small writes');
    longest = Math.max(longest, result.latency.max);
  }
  await done;
  return longest;
}
