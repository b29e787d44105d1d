/**
 * Time that a slow evaluation has before it is preempted, in milliseconds. On the last thread it is
 * shorter.
 */
const SLICE_MS = 15;
const LAST_THREAD_SLICE_MS = 5;
/** The longest slice on the last thread while evaluations wait that have proved fast. */
const LAST_THREAD_MOST_MS = 80;

/**
 * Returns the time slice of an evaluation in milliseconds. `factor` grows each time that it is
 * stopped.
 */
export function sliceMs(factor: number, isLastThread: boolean): number {
  return factor * (isLastThread ? LAST_THREAD_SLICE_MS : SLICE_MS);
}

/**
 * The same while evaluations of programs that have proved fast wait. All threads are occupied then.
 */
export function sliceBesideFast(factor: number): number {
  return Math.min(LAST_THREAD_MOST_MS, sliceMs(factor, true));
}
