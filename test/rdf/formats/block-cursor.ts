import { NO_GRAPH, type QuadBlock } from '../../../src/rdf/model/quad-block.ts';
import type { QuadCursor } from '../../../src/rdf/model/quad-cursor.ts';

/**
 * Returns a cursor over a block, in its own order or in the order of a store. Term ids are
 * indexes plus one.
 */
export function blockCursor(block: QuadBlock, sorted = true): QuadCursor {
  const { quads, termBytes, termOffsets } = block;
  const order = Array.from({ length: quads.length / 4 }, (_, index) => index * 4);
  if (sorted) order.sort((a, b) => compare(quads, a, b));
  let position = -1;
  const column = (offset: number) => {
    const value = quads[order[position]! + offset]!;
    return value === NO_GRAPH ? 0 : value + 1;
  };
  return {
    terms: {
      bytes: termBytes,
      ends: termOffsets,
      start: (id) => termOffsets[id - 1]!,
      end: (id) => termOffsets[id]!,
    },
    get subject() {
      return column(0);
    },
    get predicate() {
      return column(1);
    },
    get object() {
      return column(2);
    },
    get graph() {
      return column(3);
    },
    next: () => ++position < order.length,
  };
}

function compare(quads: Uint32Array, a: number, b: number): number {
  for (const column of [3, 0, 1, 2]) {
    const difference = quads[a + column]! - quads[b + column]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
