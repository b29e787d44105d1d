import { randomUUID } from 'node:crypto';
import { QuadBlockBuilder } from '../../rdf/quad-block-builder.ts';
import { TermIndex } from '../../rdf/term-index.ts';
import type { PatchSteps } from './patch-changes.ts';

/** Gathers the steps of a patch. Terms are in canonical form. */
export class PatchRows {
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TermIndex;
  readonly #added: boolean[] = [];

  /** `documentBytes`: about how large the patch is, to bound what it may unfold to. */
  constructor(documentBytes: number) {
    this.#builder = new QuadBlockBuilder(documentBytes);
    this.#terms = new TermIndex(this.#builder.terms);
  }

  push(added: boolean, subject: string, predicate: string, object: string): void {
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

/** Gives blank nodes of a patch labels that no node of the store ever had, in canonical form. */
export class NewBlankNodes {
  readonly #prefix = `_:p${randomUUID().replaceAll('-', '')}n`;
  readonly #numbers = new Map<string, number>();

  label(written: string): string {
    const known = this.#numbers.get(written);
    const number = known ?? this.#numbers.size;
    if (known === undefined) this.#numbers.set(written, number);
    return `${this.#prefix}${number.toString(36)}`;
  }
}
