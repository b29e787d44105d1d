import { tooLongQuad } from '../../rdf/formats/errors.ts';
import type { Position } from '../../rdf/formats/position.ts';
import { QuadBlockBuilder } from '../../rdf/interning/quad-block-builder.ts';
import { TermIndex } from '../../rdf/interning/term-index.ts';
import { MAX_DOCUMENT_QUAD_BYTES } from '../../rdf/model/quad-limits.ts';
import type { PatchSteps } from './patch-changes.ts';

/** Collects the steps of a patch. Terms are in canonical form. */
export class PatchRows {
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TermIndex;
  readonly #added: boolean[] = [];
  readonly #position: () => Position | undefined;

  /**
   * `documentBytes`: the approximate size of the patch, which bounds the size that it may expand
   * to. `position`: returns the position of the step that is being pushed, if it is known.
   */
  constructor(documentBytes: number, position: () => Position | undefined = () => undefined) {
    this.#position = position;
    this.#builder = new QuadBlockBuilder(documentBytes);
    this.#terms = new TermIndex(this.#builder.terms);
  }

  /**
   * Error `too-large` for an added triple that is too long. Removed triples may have any length.
   */
  push(added: boolean, subject: string, predicate: string, object: string): void {
    const size = Buffer.byteLength(subject) + Buffer.byteLength(predicate) + Buffer.byteLength(object);
    if (added && size > MAX_DOCUMENT_QUAD_BYTES) throw tooLongQuad(size, this.#position());
    this.#builder.addQuad(this.#number(subject), this.#number(predicate), this.#number(object));
    this.#added.push(added);
  }

  finish(): PatchSteps {
    return { block: this.#builder.finish(false), added: this.#added };
  }

  #number(text: string): number {
    const bytes = Buffer.from(text);
    return this.#terms.intern(bytes, 0, bytes.length);
  }
}
