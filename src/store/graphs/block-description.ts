import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { NOT_IN_BLOCK, termIndex } from './block-terms.ts';

const UNDERSCORE = 0x5f;
const NONE = -1;

/**
 * Returns the rows of a block that describe a resource, in ascending order: the rows that have it
 * as subject, and those of the blank nodes that are reachable from it (http-api R-53).
 */
export function aboutResource(block: QuadBlock, resource: string): number[] {
  const subject = termIndex(block, `<${resource}>`);
  if (subject === NOT_IN_BLOCK) return [];
  const rows = new RowsBySubject(block);
  const subjects = [subject];
  const seen = new Set(subjects);
  const found: number[] = [];
  for (const next of subjects) {
    for (let row = rows.first(next); row !== NONE; row = rows.after(row)) {
      found.push(row);
      const object = block.quads[4 * row + 2]!;
      if (seen.has(object) || block.termBytes[block.termOffsets[object]!] !== UNDERSCORE) continue;
      seen.add(object);
      subjects.push(object);
    }
  }
  return found.sort((a, b) => a - b);
}

/** The rows of each subject, as linked lists. */
class RowsBySubject {
  readonly #first: Int32Array;
  readonly #after: Int32Array;

  constructor({ quads, termOffsets }: QuadBlock) {
    this.#first = new Int32Array(termOffsets.length).fill(NONE);
    this.#after = new Int32Array(quads.length / 4);
    for (let row = this.#after.length - 1; row >= 0; row--) {
      const subject = quads[4 * row]!;
      this.#after[row] = this.#first[subject]!;
      this.#first[subject] = row;
    }
  }

  first(subject: number): number {
    return this.#first[subject]!;
  }

  after(row: number): number {
    return this.#after[row]!;
  }
}
