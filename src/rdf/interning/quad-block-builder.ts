import { tooLongQuad } from '../formats/errors.ts';
import type { Position } from '../formats/position.ts';
import { NO_GRAPH, type QuadBlock } from '../model/quad-block.ts';
import { MAX_DOCUMENT_QUAD_BYTES } from '../model/quad-limits.ts';
import { grown, TermArena } from './term-arena.ts';

/**
 * The most bytes of terms that a document may expand to, as a multiple of its size, and the minimum
 * that is granted.
 */
const MAX_EXPANSION = 16;
const MIN_TERM_BYTES = 16 * 1024 * 1024;

/** A quad without a term longer than this cannot be too long. */
const LONG_TERM = MAX_DOCUMENT_QUAD_BYTES / 4;

/** Collects terms and quads into a `QuadBlock`. */
export class QuadBlockBuilder {
  readonly terms: TermArena;
  #quads: Uint32Array<ArrayBuffer>;
  readonly #position: (() => Position | undefined) | undefined;
  #length = 0;
  readonly #graphs = new Set<number>();
  /** The graph of the last quad. Most quads have the same one as the quad before. */
  #graph: number | undefined;

  /**
   * `bodyBytes`: size of the document. `position`: returns the position of the quad that is being
   * added, for the error if it is too long. Without it the caller must check the length.
   */
  constructor(bodyBytes: number, position?: () => Position | undefined) {
    this.#position = position;
    const maxBytes = Math.max(MIN_TERM_BYTES, MAX_EXPANSION * bodyBytes);
    this.terms = new TermArena(bodyBytes >>> 1, maxBytes);
    this.#quads = new Uint32Array(64);
  }

  /** Adds a quad of term numbers; `graph` is `NO_GRAPH` if there is none. Error: `too-large`. */
  addQuad(subject: number, predicate: number, object: number, graph: number = NO_GRAPH): void {
    if (this.terms.longest > LONG_TERM) this.#requireShort(subject, predicate, object, graph);
    if (graph !== this.#graph) {
      this.#graph = graph;
      this.#graphs.add(graph);
    }
    const at = this.#length;
    if (at === this.#quads.length) this.#quads = grown(this.#quads, 2 * at);
    const quads = this.#quads;
    quads[at] = subject;
    quads[at + 1] = predicate;
    quads[at + 2] = object;
    quads[at + 3] = graph;
    this.#length = at + 4;
  }

  /**
   * Returns the block: views of memory that may be twice as long. The builder must not be used
   * afterwards. `prefixes`: see `QuadBlock`; empty if the document declares none.
   */
  finish(freshBlankNodes: boolean, prefixes = ''): QuadBlock {
    const { bytes, length, offsets, count } = this.terms;
    const block = {
      termBytes: bytes.subarray(0, length),
      termOffsets: offsets.subarray(0, count + 1),
      quads: this.#quads.subarray(0, this.#length),
      graphs: Uint32Array.from(this.#graphs),
      freshBlankNodes,
    };
    return prefixes === '' ? block : { ...block, prefixes };
  }

  #requireShort(...terms: readonly number[]): void {
    if (!this.#position) return;
    const { offsets } = this.terms;
    let size = 0;
    for (const term of terms) {
      if (term !== NO_GRAPH) size += offsets[term + 1]! - offsets[term]!;
    }
    if (size > MAX_DOCUMENT_QUAD_BYTES) throw tooLongQuad(size, this.#position());
  }
}
