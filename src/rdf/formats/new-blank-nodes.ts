import { randomUUID } from 'node:crypto';

/** Gives blank nodes of a document labels that no node of the store ever had, in canonical form. */
export class NewBlankNodes {
  readonly #prefix = `_:p${randomUUID().replaceAll('-', '')}n`;
  readonly #numbers = new Map<string, number>();
  #count = 0;

  /** Returns the same label for the same node of the document. */
  label(written: string): string {
    const known = this.#numbers.get(written);
    if (known !== undefined) return this.#labelOf(known);
    this.#numbers.set(written, this.#count);
    return this.next();
  }

  /** Returns the label of an anonymous node. */
  next(): string {
    return this.#labelOf(this.#count++);
  }

  #labelOf(number: number): string {
    return `${this.#prefix}${number.toString(36)}`;
  }
}
