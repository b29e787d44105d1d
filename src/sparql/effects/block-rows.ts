import { NewBlankNodes } from '../../rdf/formats/new-blank-nodes.ts';
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

  constructor(block: QuadBlock, terms: OverlayDictionary) {
    this.quads = block.quads;
    this.#block = block;
    this.#terms = terms;
    this.#ids = new Uint32Array(block.termOffsets.length - 1);
  }

  id(index: number): TermId {
    const known = this.#ids[index]!;
    if (known !== NO_TERM) return known;
    const { termBytes, termOffsets, freshBlankNodes } = this.#block;
    const [from, to] = [termOffsets[index]!, termOffsets[index + 1]!];
    const id =
      freshBlankNodes && termBytes[from] === UNDERSCORE
        ? this.#terms.internText(this.#newNodes.label(String(index)))
        : this.#terms.intern(termBytes, from, to);
    this.#ids[index] = id;
    return id;
  }

  /** Returns the name of the graph in a column; undefined if the quad names none. */
  graph(index: number): string | undefined {
    if (index === NO_GRAPH) return undefined;
    const { termBytes, termOffsets } = this.#block;
    if (termBytes[termOffsets[index]!] !== LESS) throw new Error('The name of a graph must be an IRI.');
    return Buffer.from(termBytes.subarray(termOffsets[index]! + 1, termOffsets[index + 1]! - 1)).toString();
  }
}
