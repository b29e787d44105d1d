/**
 * V8's memory of a thread for new objects: two halves, of which one is in use, and room for big objects. In a busy thread
 * it grows until a half has 16 MiB, and gives nothing back. A half of 2 MiB is measured no slower, for evaluations as for
 * parsing; with halves of 1 MiB parsing takes a sixth longer.
 */
import { setFlagsFromString } from 'node:v8';

const HALF_MEGABYTES = 2;

/** All of a pool thread's, as its `resourceLimits` count it. */
export const YOUNG_GENERATION_MEGABYTES = 3 * HALF_MEGABYTES;

/** To be called before pool threads start: they have all of it from the beginning, since it will not grow. */
export function beginFullyGrown(): void {
  setFlagsFromString(`--min-semi-space-size=${HALF_MEGABYTES}`);
}

/**
 * To be called in each pool thread, for the sake of the main thread, which only arguments of Node.js could limit: from now on
 * V8 lets it grow by a factor of one, so it stays at the 8 or 16 MiB that it has after start-up. That holds for the process, until a
 * thread starts, which sets the factor back.
 */
export function endGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
