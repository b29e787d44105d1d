import type { QuadBlock } from '../../rdf/model/quad-block.ts';

/** Returned in place of an index if the block does not contain the term. */
export const NOT_IN_BLOCK = -1;

/** The index of a term in canonical N-Triples form, or `NOT_IN_BLOCK`. */
export function termIndex({ termBytes, termOffsets }: QuadBlock, text: string): number {
  const wanted = Buffer.from(text);
  for (let i = 0; i + 1 < termOffsets.length; i++) {
    const start = termOffsets[i]!;
    if (termOffsets[i + 1]! - start !== wanted.length) continue;
    if (wanted.equals(termBytes.subarray(start, start + wanted.length))) return i;
  }
  return NOT_IN_BLOCK;
}

/**
 * Returns the distinct objects, in canonical form, of the triples with this subject (null matches
 * every subject) and predicate.
 */
export function objectsInBlock(block: QuadBlock, subject: string | null, predicate: string): string[] {
  const s = subject === null ? null : termIndex(block, subject);
  const p = termIndex(block, predicate);
  const found = new Set<number>();
  const { quads } = block;
  for (let i = 0; i < quads.length; i += 4) {
    if (quads[i + 1] === p && (s === null || quads[i] === s)) found.add(quads[i + 2]!);
  }
  return [...found].map((index) => termOfBlock(block, index));
}

/** The canonical form of a term of a block. */
export function termOfBlock({ termBytes, termOffsets }: QuadBlock, index: number): string {
  return Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString();
}
