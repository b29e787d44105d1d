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

/** Returns the rows in their original order. */
export function identity(count: number): Permutation {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return { rows, spare: new Uint32Array(count) };
}

/**
 * Sorts a permutation of rows by one of their columns. The sort is stable: rows with equal keys
 * keep their order. The key of row `i` is `keys[i * width + column] & 0x7fffffff`. Radix sort,
 * least significant digit first; with many rows the digit is wide enough for ids to need a single
 * pass.
 */
export function sortBy(permutation: Permutation, keys: Uint32Array, width: number, column: number): void {
  const count = permutation.rows.length;
  const keyBits = bits(differingBits(keys, width, column, count));
  const digitBits = Math.max(LEAST_DIGIT_BITS, bits(count));
  for (let shift = 0; shift < keyBits; shift += digitBits) {
    sortByDigit(permutation, keys, width, column, shift, Math.min(digitBits, keyBits - shift));
  }
}

function bits(value: number): number {
  return 32 - Math.clz32(value);
}

/** Returns the bits in which not all keys agree; a column with one value needs no sorting. */
function differingBits(keys: Uint32Array, width: number, column: number, count: number): number {
  const first = count > 0 ? keys[column]! : 0;
  let differing = 0;
  for (let i = 0, at = column; i < count; i++, at += width) differing |= keys[at]! ^ first;
  return differing & 0x7fffffff;
}

function sortByDigit(
  permutation: Permutation,
  keys: Uint32Array,
  width: number,
  column: number,
  shift: number,
  digitBits: number,
): void {
  const { rows, spare } = permutation;
  const mask = 2 ** digitBits - 1;
  const next = new Uint32Array(mask + 2);
  for (let i = 0, at = column; i < rows.length; i++, at += width) next[((keys[at]! >>> shift) & mask) + 1]!++;
  for (let digit = 1; digit <= mask; digit++) next[digit]! += next[digit - 1]!;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    spare[next[(keys[row * width + column]! >>> shift) & mask]!++] = row;
  }
  permutation.rows = spare;
  permutation.spare = rows;
}
