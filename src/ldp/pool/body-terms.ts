import { BlockTripleTerms } from '../../rdf/model/block-triple-terms.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { NOT_IN_BLOCK, termOfBlock } from '../../store/graphs/block-terms.ts';

const UNDERSCORE = 0x5f;
const UNASKED = -1;

/** The terms of a block, by their index in it. */
export class BodyTerms {
  readonly #reader: SnapshotReader;
  readonly #block: QuadBlock;
  readonly #tripleTerms: BlockTripleTerms;
  /** Ids in the snapshot, looked up on first use. */
  readonly #ids: Int32Array;

  constructor(reader: SnapshotReader, block: QuadBlock) {
    this.#reader = reader;
    this.#block = block;
    this.#tripleTerms = new BlockTripleTerms(block);
    this.#ids = new Int32Array(block.termOffsets.length - 1).fill(UNASKED);
  }

  /** Returns the id in the snapshot; `NO_TERM` for what is or contains a new blank node. */
  id(index: number): TermId {
    const known = this.#ids[index]!;
    if (known !== UNASKED) return known;
    const { termBytes, termOffsets, freshBlankNodes } = this.#block;
    const start = termOffsets[index]!;
    const isNew =
      freshBlankNodes && (termBytes[start] === UNDERSCORE || this.#tripleTerms.hasBlankNodes(index));
    const id = isNew ? NO_TERM : this.#reader.findBytes(termBytes, start, termOffsets[index + 1]!);
    this.#ids[index] = id;
    return id;
  }

  /** Returns the term in canonical form. */
  text(index: number): string {
    return termOfBlock(this.#block, index);
  }

  /** Returns the indexes of IRIs, or `NOT_IN_BLOCK`, in one pass over all terms. */
  numbersOf(iris: Iterable<string>): Map<string, number> {
    const numbers = new Map<string, number>();
    const wanted = new Map<number, { readonly iri: string; readonly text: Uint8Array }[]>();
    for (const iri of new Set(iris)) {
      numbers.set(iri, NOT_IN_BLOCK);
      const text = Buffer.from(`<${iri}>`);
      wanted.set(text.length, [...(wanted.get(text.length) ?? []), { iri, text }]);
    }
    const { termBytes, termOffsets } = this.#block;
    for (let index = 0; index + 1 < termOffsets.length; index++) {
      const start = termOffsets[index]!;
      for (const { iri, text } of wanted.get(termOffsets[index + 1]! - start) ?? nothing) {
        if (standsAt(termBytes, start, text)) numbers.set(iri, index);
      }
    }
    return numbers;
  }
}

const nothing: readonly never[] = [];

/** Compares from the end, where IRIs of one origin differ. */
function standsAt(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = text.length - 1; i >= 0; i--) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/**
 * Returns the block with only some of its rows, given by their offsets in `quads`. Graph names are
 * dropped (http-api G-102).
 */
export function blockOfRows(block: QuadBlock, rows: readonly number[] | Uint32Array): QuadBlock {
  const quads = new Uint32Array(4 * rows.length);
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]!;
    quads.set(block.quads.subarray(at, at + 3), 4 * i);
    quads[4 * i + 3] = NO_GRAPH;
  }
  const graphs = rows.length > 0 ? Uint32Array.of(NO_GRAPH) : new Uint32Array(0);
  return { ...block, quads, graphs };
}
