import { NewBlankNodes } from '../../rdf/formats/new-blank-nodes.ts';
import { BlockTripleTerms } from '../../rdf/model/block-triple-terms.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { OverlayDictionary } from '../../snapshot/dictionary/overlay.ts';

const UNDERSCORE = 0x5f;
const LESS = 0x3c;

/** A block of quads whose terms are mapped to ids. */
export class BlockRows {
  readonly quads: Uint32Array;
  readonly #block: QuadBlock;
  readonly #terms: OverlayDictionary;
  readonly #ids: Uint32Array;
  readonly #newNodes = new NewBlankNodes();
  readonly #tripleTerms: BlockTripleTerms;

  constructor(block: QuadBlock, terms: OverlayDictionary) {
    this.quads = block.quads;
    this.#block = block;
    this.#terms = terms;
    this.#tripleTerms = new BlockTripleTerms(block);
    this.#ids = new Uint32Array(block.termOffsets.length - 1);
  }

  id(index: number): TermId {
    const known = this.#ids[index]!;
    if (known !== NO_TERM) return known;
    const { termBytes, termOffsets } = this.#block;
    const relabelled = this.#relabelled(index);
    const id =
      relabelled === undefined
        ? this.#terms.intern(termBytes, termOffsets[index]!, termOffsets[index + 1]!)
        : this.#terms.internText(relabelled);
    this.#ids[index] = id;
    return id;
  }

  /** Returns the new text of a term that is or contains a new blank node; undefined for others. */
  #relabelled(index: number): string | undefined {
    const { termBytes, termOffsets, freshBlankNodes } = this.#block;
    if (!freshBlankNodes) return undefined;
    const labelOf = (blankNode: number) => this.#newNodes.label(String(blankNode));
    if (termBytes[termOffsets[index]!] === UNDERSCORE) return labelOf(index);
    return this.#tripleTerms.hasBlankNodes(index) ? this.#tripleTerms.relabelled(index, labelOf) : undefined;
  }

  /** Returns the name of the graph in a column; undefined if the quad names none. */
  graph(index: number): string | undefined {
    if (index === NO_GRAPH) return undefined;
    const { termBytes, termOffsets } = this.#block;
    if (termBytes[termOffsets[index]!] !== LESS) throw new Error('The name of a graph must be an IRI.');
    return Buffer.from(termBytes.subarray(termOffsets[index]! + 1, termOffsets[index + 1]! - 1)).toString();
  }
}
