/**
 * The three orders of quads in runs. In each, columns `a` to `d` are compared one after another:
 * `BY_SUBJECT` s p o g, `BY_OBJECT` o p s g, `BY_GRAPH` g s p o.
 */
export const BY_SUBJECT = 0;
export const BY_OBJECT = 1;
export const BY_GRAPH = 2;

export type Order = typeof BY_SUBJECT | typeof BY_OBJECT | typeof BY_GRAPH;

/**
 * Set in the last column of a quad that a delta run or the change log removes. Ids are less than
 * this.
 */
export const REMOVED = 0x80000000;
export const ID_MASK = 0x7fffffff;

/** Returns the first position in `from .. to` of sorted words whose value is at least `a`. */
export function lowerBoundOf(words: Uint32Array, from: number, to: number, a: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[middle]! < a) low = middle + 1;
    else high = middle;
  }
  return low;
}
