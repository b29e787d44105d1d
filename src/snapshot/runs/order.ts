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

/**
 * This many rows are searched linearly: that is faster than a binary search, which often
 * mispredicts the half.
 */
const FEW_ROWS = 8;

/**
 * Returns the first row in `from .. to` at or after `(b, c)`; row `i` begins at `start + 3 i` with
 * these two.
 */
export function lowerBoundOfRows(
  words: Uint32Array,
  start: number,
  from: number,
  to: number,
  b: number,
  c: number,
): number {
  let low = from;
  let high = to;
  while (high - low > FEW_ROWS) {
    const middle = (low + high) >>> 1;
    if (isBefore(words, start + 3 * middle, b, c)) low = middle + 1;
    else high = middle;
  }
  while (low < high && isBefore(words, start + 3 * low, b, c)) low++;
  return low;
}

function isBefore(words: Uint32Array, at: number, b: number, c: number): boolean {
  const value = words[at]!;
  return value < b || (value === b && words[at + 1]! < c);
}

/** Returns the first index in `from .. to` of one sorted column whose value is at least `a`. */
export function lowerBoundOf(words: Uint32Array, start: number, from: number, to: number, a: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[start + middle]! < a) low = middle + 1;
    else high = middle;
  }
  return low;
}
