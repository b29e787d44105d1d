import type { QuadBlock } from './quad-block.ts';
import { hasInnerBlankNodes, isTripleTermAt, withInnerBlankNodes } from './triple-term.ts';

const UNDERSCORE = 0x5f;

type BlockTerms = Pick<QuadBlock, 'termBytes' | 'termOffsets'>;

/** The triple terms of a block whose blank nodes get other labels. */
export class BlockTripleTerms {
  readonly #block: BlockTerms;
  /** The index of each blank node of the block, by its label. Filled on first use. */
  #blankNodes: ReadonlyMap<string, number> | undefined;

  constructor(block: BlockTerms) {
    this.#block = block;
  }

  /** Whether a term of the block is a triple term that contains blank nodes. */
  hasBlankNodes(index: number): boolean {
    const { termBytes, termOffsets } = this.#block;
    const start = termOffsets[index]!;
    return isTripleTermAt(termBytes, start) && hasInnerBlankNodes(termBytes, start, termOffsets[index + 1]!);
  }

  /** Returns a triple term with other labels; `labelOf` receives the index of a blank node. */
  relabelled(index: number, labelOf: (blankNode: number) => string): string {
    this.#blankNodes ??= blankNodesOf(this.#block);
    const indexes = this.#blankNodes;
    return withInnerBlankNodes(textOf(this.#block, index), (label) => labelOf(indexes.get(label)!));
  }
}

function blankNodesOf(block: BlockTerms): Map<string, number> {
  const { termBytes, termOffsets } = block;
  const indexes = new Map<string, number>();
  for (let index = 0; index + 1 < termOffsets.length; index++) {
    if (termBytes[termOffsets[index]!] === UNDERSCORE) indexes.set(textOf(block, index), index);
  }
  return indexes;
}

function textOf({ termBytes, termOffsets }: BlockTerms, index: number): string {
  return Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString();
}
