import { BlockTripleTerms } from '../../rdf/model/block-triple-terms.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { PlanDictionary } from '../dictionary/planned-terms.ts';

const UNDERSCORE = 0x5f;

/** Decides to which graphs the quads of a payload go. */
export interface GraphChoice {
  /** Absolute IRI. */
  readonly graph: string;
  /** True if all quads go to that graph; false if only those that name no graph do. */
  readonly always: boolean;
}

/** The terms of a block as ids of a dictionary, looked up on first use. */
export class Payload {
  readonly quads: Uint32Array;
  readonly #block: QuadBlock;
  readonly #dictionary: PlanDictionary;
  readonly #ids: Uint32Array;
  readonly #tripleTerms: BlockTripleTerms;
  /** For each fresh blank node that has a label, its number plus one. */
  readonly #numbers: Uint32Array;
  readonly #choice: GraphChoice;
  readonly #blankPrefix: string;
  #blankNodes = 0;
  #chosenGraph: TermId = NO_TERM;

  constructor(block: QuadBlock, dictionary: PlanDictionary, choice: GraphChoice, blankPrefix: string) {
    this.quads = block.quads;
    this.#block = block;
    this.#dictionary = dictionary;
    this.#ids = new Uint32Array(block.termOffsets.length - 1);
    this.#tripleTerms = new BlockTripleTerms(block);
    this.#numbers = new Uint32Array(block.freshBlankNodes ? this.#ids.length : 0);
    this.#choice = choice;
    this.#blankPrefix = blankPrefix;
  }

  /** Returns the id of a term of the block if the dictionary has it. */
  known(index: number): TermId {
    const id = this.#ids[index]!;
    if (id !== NO_TERM || this.#isFresh(index)) return id;
    const { termBytes, termOffsets } = this.#block;
    const found = this.#dictionary.find(termBytes, termOffsets[index]!, termOffsets[index + 1]!);
    this.#ids[index] = found;
    return found;
  }

  /**
   * Returns the id of a term of the block; adds the term if necessary. Fresh blank nodes get their
   * labels here.
   */
  intern(index: number): TermId {
    const id = this.#ids[index]!;
    if (id !== NO_TERM) return id;
    const { termBytes, termOffsets } = this.#block;
    const added = this.#isFresh(index)
      ? this.#dictionary.internText(this.#newText(index))
      : this.#dictionary.intern(termBytes, termOffsets[index]!, termOffsets[index + 1]!);
    this.#ids[index] = added;
    return added;
  }

  /** Returns the canonical form of a fresh blank node, or of a triple term that contains some. */
  #newText(index: number): string {
    if (this.#isBlankNode(index)) return this.#labelOf(index);
    return this.#tripleTerms.relabelled(index, (blankNode) => this.#labelOf(blankNode));
  }

  #labelOf(blankNode: number): string {
    this.#numbers[blankNode] ||= ++this.#blankNodes;
    return `_:${this.#blankPrefix}${(this.#numbers[blankNode]! - 1).toString(36)}`;
  }

  /** Like `known`, for the graph column. */
  knownGraph(index: number): TermId {
    if (!this.#goesToChosen(index)) return this.known(index);
    if (this.#chosenGraph === NO_TERM) {
      this.#chosenGraph = this.#dictionary.findText(`<${this.#choice.graph}>`);
    }
    return this.#chosenGraph;
  }

  /** Like `intern`, for the graph column. */
  internGraph(index: number): TermId {
    if (!this.#goesToChosen(index)) return this.intern(index);
    if (this.#chosenGraph === NO_TERM) {
      this.#chosenGraph = this.#dictionary.internText(`<${this.#choice.graph}>`);
    }
    return this.#chosenGraph;
  }

  #goesToChosen(index: number): boolean {
    return this.#choice.always || index === NO_GRAPH;
  }

  /** Whether the term is, or contains, a blank node that the dictionary does not have. */
  #isFresh(index: number): boolean {
    if (!this.#block.freshBlankNodes) return false;
    return this.#isBlankNode(index) || this.#tripleTerms.hasBlankNodes(index);
  }

  #isBlankNode(index: number): boolean {
    const { termBytes, termOffsets } = this.#block;
    return termBytes[termOffsets[index]!] === UNDERSCORE;
  }
}
