import { ID_MASK, REMOVED } from './order.ts';
import { identity, sortBy } from './radix-sort.ts';
import { SortedColumns } from './sorted-columns.ts';

/**
 * Sorts rows of four words (s, p, o, g with `REMOVED`) by subject, each relative to the state after
 * the rows before it. Rows of the same quad cancel each other out or are reduced to one.
 */
export function sortQuads(rows: Uint32Array): SortedColumns {
  const permutation = identity(rows.length / 4);
  for (const first of [3, 2, 1, 0]) sortBy(permutation, { words: rows, first, step: 4 });
  return collapse(rows, permutation.rows);
}

function collapse(rows: Uint32Array, sorted: Uint32Array): SortedColumns {
  const step = sorted.length;
  const words = new Uint32Array(4 * step);
  let count = 0;
  for (let i = 0; i < step; ) {
    const row = 4 * sorted[i]!;
    let weight = 0;
    for (; i < step && sameQuad(rows, row, 4 * sorted[i]!); i++) {
      weight += rows[4 * sorted[i]! + 3]! > ID_MASK ? -1 : 1;
    }
    if (weight === 0) continue;
    const graph = rows[row + 3]! & ID_MASK;
    words[count] = rows[row]!;
    words[count + step] = rows[row + 1]!;
    words[count + 2 * step] = rows[row + 2]!;
    words[count + 3 * step] = weight < 0 ? graph | REMOVED : graph;
    count++;
  }
  return new SortedColumns(words, 0, step, count);
}

function sameQuad(rows: Uint32Array, x: number, y: number): boolean {
  return (
    rows[x] === rows[y] &&
    rows[x + 1] === rows[y + 1] &&
    rows[x + 2] === rows[y + 2] &&
    ((rows[x + 3]! ^ rows[y + 3]!) & ID_MASK) === 0
  );
}
