import { tooLongQuad } from '../formats/errors.ts';
import { NO_GRAPH, type QuadBlock } from '../model/quad-block.ts';
import { MAX_DOCUMENT_QUAD_BYTES } from '../model/quad-limits.ts';
import { QuadBlockBuilder } from './quad-block-builder.ts';
import { TermIndex } from './term-index.ts';

/** Collects quads whose terms are strings in canonical N-Triples form. */
export class TextQuads {
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TermIndex;

  /** `bytes`: approximate size of the document that they come from, to limit its expansion. */
  constructor(bytes: number) {
    this.#builder = new QuadBlockBuilder(bytes);
    this.#terms = new TermIndex(this.#builder.terms);
  }

  /** Error: `too-large`. */
  add(subject: string, predicate: string, object: string, graph?: string): void {
    const terms = [subject, predicate, object, graph ?? ''].map((text) => Buffer.from(text));
    const size = terms.reduce((sum, { length }) => sum + length, 0);
    if (size > MAX_DOCUMENT_QUAD_BYTES) throw tooLongQuad(size);
    const [s, p, o, g] = terms.map((bytes) => (bytes.length === 0 ? NO_GRAPH : this.#number(bytes)));
    this.#builder.addQuad(s!, p!, o!, g!);
  }

  finish(freshBlankNodes: boolean): QuadBlock {
    return this.#builder.finish(freshBlankNodes);
  }

  #number(bytes: Uint8Array): number {
    return this.#terms.intern(bytes, 0, bytes.length);
  }
}
