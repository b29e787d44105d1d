/**
 * Minimum size of a digit. With few numbers the digits stay this small, so that counting does not
 * cost more than sorting.
 */
const LEAST_DIGIT_BITS = 11;

/** Row numbers 0 .. count, and room for the output of a sorting pass. */
export interface Permutation {
  rows: Uint32Array;
  spare: Uint32Array;
}

/** The keys of rows: that of row `i` is `words[first + i * step] & 0x7fffffff`. */
export interface Keys {
  readonly words: Uint32Array;
  readonly first: number;
  readonly step: number;
}

/** Returns the rows in their original order. */
export function identity(count: number): Permutation {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return { rows, spare: new Uint32Array(count) };
}

/**
 * Sorts a permutation of rows by their keys. The sort is stable: rows with equal keys keep their
 * order. Radix sort, least significant digit first; with many rows the digit is wide enough for ids
 * to need a single pass.
 */
export function sortBy(permutation: Permutation, keys: Keys): void {
  const count = permutation.rows.length;
  const keyBits = bits(differingBits(keys, count));
  const digitBits = Math.max(LEAST_DIGIT_BITS, bits(count));
  for (let shift = 0; shift < keyBits; shift += digitBits) {
    sortByDigit(permutation, keys, shift, Math.min(digitBits, keyBits - shift));
  }
}

function bits(value: number): number {
  return 32 - Math.clz32(value);
}

/** Returns the bits in which not all keys agree; if all are equal, they need no sorting. */
function differingBits({ words, first, step }: Keys, count: number): number {
  const key = count > 0 ? words[first]! : 0;
  let differing = 0;
  for (let i = 0, at = first; i < count; i++, at += step) differing |= words[at]! ^ key;
  return differing & 0x7fffffff;
}

function sortByDigit(permutation: Permutation, keys: Keys, shift: number, digitBits: number): void {
  const { rows, spare } = permutation;
  const { words, first, step } = keys;
  const mask = 2 ** digitBits - 1;
  const next = new Uint32Array(mask + 2);
  for (let i = 0, at = first; i < rows.length; i++, at += step) next[((words[at]! >>> shift) & mask) + 1]!++;
  for (let digit = 1; digit <= mask; digit++) next[digit]! += next[digit - 1]!;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    spare[next[(words[first + row * step]! >>> shift) & mask]!++] = row;
  }
  permutation.rows = spare;
  permutation.spare = rows;
}
