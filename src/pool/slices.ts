/**
 * Time that a slow evaluation has before it must make room, in milliseconds. On the last thread it
 * is shorter.
 */
const SLICE_MS = 15;
const LAST_THREAD_SLICE_MS = 5;
/** The longest slice of the last thread while evaluations wait that have proved quick. */
const LAST_THREAD_MOST_MS = 80;

/** Time for a slice of an evaluation, by how often it was stopped (`patience`), in milliseconds. */
export function sliceMs(patience: number, isLastThread: boolean): number {
  return patience * (isLastThread ? LAST_THREAD_SLICE_MS : SLICE_MS);
}

/**
 * The same while evaluations of programs that have proved quick wait. All threads are taken then.
 */
export function sliceBesideQuick(patience: number): number {
  return Math.min(LAST_THREAD_MOST_MS, sliceMs(patience, true));
}
